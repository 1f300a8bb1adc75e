// fill, iota, transform, gather, scatter, permute, count_if, find_if, all_of, adjacent_difference,
// argmin, argmax: everyday calls on sequences.

#include <evenfold/evenfold.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

namespace ef = evenfold;

namespace {

void print(const char* name, const std::vector<int>& values) {
  std::printf("%-12s", name);
  for (const int value : values) std::printf(" %4d", value);
  std::printf("\n");
}

}  // namespace

int main() {
  ef::default_context ctx;
  const ef::array<int> heights = ef::to_context(ctx, std::vector<int>{120, 340, 90, 340, 210});
  const int count = 5;

  ef::array<int> halves(ctx, count);
  ef::transform(
      ctx, heights, halves, EF_LAMBDA(int x) { return x / 2; });
  print("halves", ef::to_host(ctx, halves));

  ef::array<int> steps(ctx, count);
  ef::adjacent_difference(ctx, heights, steps);
  print("steps", ef::to_host(ctx, steps));

  // The order from back to front is 4, 3, 2, 1, 0.
  ef::array<int> order(ctx, count);
  ef::iota(ctx, order, count - 1, -1);
  ef::array<int> backwards(ctx, count);
  ef::gather(ctx, heights, order, backwards);
  print("backwards", ef::to_host(ctx, backwards));
  ef::permute(ctx, backwards, order);
  const bool is_back = ef::to_host(ctx, backwards) == ef::to_host(ctx, heights);

  // The first two heights, at indices 4 and 3 of zeros. Where arrays are longer than what is meant,
  // pass iterators and a count.
  ef::array<int> placed(ctx, count);
  ef::fill(ctx, placed, 0);
  ef::scatter(ctx, heights.data(), order.data(), 2, placed.data());
  print("placed", ef::to_host(ctx, placed));

  const std::size_t tall = ef::count_if(
      ctx, heights, EF_LAMBDA(int x) { return x > 200; });
  const std::size_t first = ef::find_if(
      ctx, heights, EF_LAMBDA(int x) { return x > 200; });
  const bool all = ef::all_of(
      ctx, heights, EF_LAMBDA(int x) { return x > 0; });
  const std::size_t lowest = ef::argmin(ctx, heights);
  const std::size_t highest = ef::argmax(ctx, heights);
  std::printf("%zu above 200, the first at %zu; all positive: %s; lowest at %zu, highest at %zu\n",
              tall, first, all ? "yes" : "no", lowest, highest);

  return is_back && tall == 3 && first == 1 && all && lowest == 2 && highest == 1 &&
                 ef::to_host(ctx, placed) == std::vector<int>{0, 0, 0, 340, 120}
             ? 0
             : 1;
}
