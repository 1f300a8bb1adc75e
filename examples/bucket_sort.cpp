// bucket_sort: letters sorted by street, and within each street by house number.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

struct letter {
  int house, sender;
};
struct house_of {
  EF_HD int operator()(const letter& l) const { return l.house; }
};
struct put_sender {
  int* out;
  EF_HD void operator()(int k, const letter& l) const { out[k] = l.sender; }
};
struct letter_at {
  const int* houses;
  EF_HD letter operator()(int i) const { return {houses[i], i}; }
};

int main() {
  ef::default_context ctx;
  const int count = 6, num_streets = 4;
  const ef::array<int> street = ef::to_context(ctx, std::vector<int>{2, 0, 2, 3, 2, 0});
  const ef::array<int> house = ef::to_context(ctx, std::vector<int>{7, 1, 4, 9, 7, 1});
  ef::array<int> offsets(ctx, num_streets + 1);
  ef::array<int> sorted(ctx, count);
  ef::bucket_sort(ctx, count, ef::element_of<int, const int*>{street.data()},
                  letter_at{house.data()}, num_streets, offsets.data(),
                  ef::number_order<house_of, int>{{}, 10}, put_sender{sorted.data()});

  const std::vector<int> begins = ef::to_host(ctx, offsets);
  const std::vector<int> senders = ef::to_host(ctx, sorted);
  for (int s = 0; s < num_streets; ++s) {
    std::printf("street %d:", s);
    for (int k = begins[s]; k < begins[s + 1]; ++k) std::printf(" letter %d", senders[k]);
    std::printf("\n");
  }
  return begins == std::vector<int>{0, 2, 2, 5, 6} && senders == std::vector<int>{1, 5, 2, 0, 4, 3}
             ? 0
             : 1;
}
