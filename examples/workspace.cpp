// workspace, workspace_bytes, with_tuning: sums in sorted order, in memory that is taken once, with
// another tuning on a new GPU.

#include <evenfold/evenfold.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

namespace ef = evenfold;

namespace {

struct measurement {
  float value;
  int sensor;
};

struct by_sensor {
  EF_HD bool operator()(const measurement& a, const measurement& b) const {
    return a.sensor < b.sensor;
  }
};

#if defined(__CUDACC__)
using for_new_gpus = ef::reduce_tuning<512, 8>;
#else
using for_new_gpus = ef::default_tuning;
#endif

}  // namespace

int main() {
  ef::default_context ctx;
  std::vector<measurement> arrived(10000);
  for (int i = 0; i < 10000; ++i) arrived[i] = {static_cast<float>(i % 4), (i * 37) % 100};
  ef::array<measurement> all = ef::to_context(ctx, arrived);

  // The sort is run once to learn what it takes. Later calls take nothing but the workspace.
  const std::size_t bytes =
      ef::workspace_bytes(ctx, [&](ef::default_context& c) { ef::sort(c, all, by_sensor{}); });
  ef::array<std::byte> memory(ctx, bytes);
  ef::workspace scratch(memory.data(), memory.size());
  ef::default_context with_scratch = ctx.with_memory(scratch);
  ef::sort(with_scratch, all, by_sensor{});

  const measurement* const sorted = all.data();
  const auto value = EF_LAMBDA(int i) { return sorted[i].value; };
  const float sum = ef::with_tuning<ef::tuning_from<90, for_new_gpus>>(ctx, [&]<class Tuning>() {
    return ef::transform_reduce<Tuning>(ctx, 10000, value, ef::plus{}, 0.f);
  });
  const std::vector<measurement> result = ef::to_host(ctx, all);
  std::printf("%zu bytes; sensors %d to %d; sum %g\n", bytes, result.front().sensor,
              result.back().sensor, static_cast<double>(sum));
  return result.front().sensor == 0 && result.back().sensor == 99 && sum == 15000.f ? 0 : 1;
}
