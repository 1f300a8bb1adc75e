// sort_by_key, sort: players sorted by their scores in descending order, and words sorted by length
// with a comparator.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

struct word {
  int length;
  char first;
};

struct shorter {
  EF_HD bool operator()(const word& a, const word& b) const { return a.length < b.length; }
};

int main() {
  ef::default_context ctx;
  ef::array<float> scores = ef::to_context(ctx, std::vector<float>{.2f, .9f, .5f, .9f});
  ef::array<int> players = ef::to_context(ctx, std::vector<int>{10, 11, 12, 13});
  ef::sort_by_key(ctx, scores.data(), players.data(), 4, ef::greater{});

  ef::array<word> words = ef::to_context(ctx, std::vector<word>{{5, 'a'}, {2, 'b'}, {5, 'c'}});
  ef::sort(ctx, words.data(), 3, shorter{});

  const std::vector<int> ranking = ef::to_host(ctx, players);
  const std::vector<word> sorted = ef::to_host(ctx, words);
  std::printf("players:");
  for (const int player : ranking) std::printf(" %d", player);
  std::printf("\nfirst letters of the words:");
  for (const word& w : sorted) std::printf(" %c", w.first);
  std::printf("\n");
  return ranking == std::vector<int>{11, 13, 12, 10} && sorted[0].first == 'b' &&
                 sorted[1].first == 'a' && sorted[2].first == 'c'
             ? 0
             : 1;
}
