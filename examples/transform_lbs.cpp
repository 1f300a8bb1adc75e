// transform_lbs: every ordered pair of members of the same group. A group of n members has n * n
// pairs, so that the groups differ widely in work; transform_lbs gives every worker the same number
// of pairs.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <utility>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  // Groups {0, 1, 2}, {} and {3, 4}: 9 + 0 + 4 pairs.
  const ef::array<int> first_member = ef::to_context(ctx, std::vector<int>{0, 3, 3});
  const ef::array<int> members = ef::to_context(ctx, std::vector<int>{3, 0, 2});
  const ef::array<int> first_pair = ef::to_context(ctx, std::vector<int>{0, 9, 9});
  const int num_pairs = 13;
  ef::array<int> from(ctx, num_pairs);
  ef::array<int> to(ctx, num_pairs);

  int* a = from.data();
  int* b = to.data();
  using group = ef::tuple<int, int>;
  ef::transform_lbs(
      ctx, num_pairs,
      EF_LAMBDA(int pair, int, int rank, const group& of) {
        a[pair] = ef::get<0>(of) + rank / ef::get<1>(of);
        b[pair] = ef::get<0>(of) + rank % ef::get<1>(of);
      },
      first_pair.data(), 3, ef::make_tuple(first_member.data(), members.data()));

  const std::vector<int> one = ef::to_host(ctx, from);
  const std::vector<int> other = ef::to_host(ctx, to);
  for (int i = 0; i < num_pairs; ++i) std::printf("(%d,%d) ", one[i], other[i]);
  std::printf("\n");
  return one == std::vector<int>{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4} &&
                 other == std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1, 2, 3, 4, 3, 4}
             ? 0
             : 1;
}
