// Strong and weak scaling of the distributed algorithms: all ranks against one context, on CPU
// threads (g++) or on the GPUs of this machine (nvcc).
//
// Strong scaling: the same items on more ranks, efficiency = one_ms / (ranks * ms). Weak scaling:
// as many items on each rank, efficiency = one_ms / ms. one_ms is the time of the plain call on one
// context, with the items of one rank in the weak case. Every result is compared with that of one
// context before it is timed: byte by byte.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/main.hpp"
#include "bench/scaling/cases.hpp"
#include "bench/scaling/counting_communicator.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/threads.hpp"
#if defined(__CUDACC__)
#include "evenfold/distributed/nccl.cuh"
#endif

namespace bench {
namespace {

struct options {
  std::vector<int> ranks;
  std::string communicator = "threads";
  int exponent = 24;
  int repeats = 10;
  int threads = 1;
  std::string filter = ".*";
  std::string json_file;
};

using clock = std::chrono::steady_clock;

double ms_since(clock::time_point start) {
  return std::chrono::duration<double, std::milli>(clock::now() - start).count();
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// The state that all ranks share. Rank 0 writes it between barriers.
struct shared_state {
  const options& chosen;
  nlohmann::ordered_json& results;
  bool wrong = false;
};

/// The time of the call on one context, and its result.
template <class Case>
auto run_single(local_context& local, std::uint64_t count, int repeats, double& ms) {
  typename Case::single one(local, count);
  std::vector<double> times;
  for (int k = -2; k < repeats; ++k) {
    one.prepare();
    local.synchronize();
    const auto start = clock::now();
    one.run();
    local.synchronize();
    if (k >= 0) times.push_back(ms_since(start));
  }
  if (repeats > 0) ms = median(times);
  return one.result();
}

/// One case and one size on all ranks, against `expected`. `one_ms` is what one rank would take.
template <class Case, class Context, class Result>
void run_distributed(Context& ctx, shared_state& shared, const char* scaling, std::uint64_t count,
                     const Result& expected, double one_ms) {
  typename Case::template distributed<Context> all(ctx, count);
  auto& communicator = ctx.communicator();
  const auto timed_run = [&] {
    all.prepare();
    ctx.local().synchronize();
    communicator.barrier();
    const auto start = clock::now();
    all.run();
    ctx.local().synchronize();
    communicator.barrier();
    return ms_since(start);
  };
  timed_run();
  const Result own = all.result();
  const bool right = all.first() + own.size() <= expected.size() &&
                     (own.empty() || std::memcmp(own.data(), expected.data() + all.first(),
                                                 own.size() * sizeof(own[0])) == 0);
  struct report {
    std::uint64_t right, results;
    double communication_ms;
    std::uint64_t received_bytes;
  } mine{right, own.size(), 0, 0};
  std::vector<double> times;
  for (int k = 0; k < shared.chosen.repeats; ++k) times.push_back(timed_run());
  communicator.counts = true;
  communicator.milliseconds = 0;
  communicator.received_bytes = 0;
  const double counted_ms = timed_run();
  communicator.counts = false;
  mine.communication_ms = communicator.milliseconds;
  mine.received_bytes = communicator.received_bytes;
  const std::vector<report> reports = ef::detail::gather_value(ctx, mine);
  if (ctx.rank() != 0) return;

  bool all_right = true;
  std::uint64_t most_bytes = 0;
  double most_ms = 0;
  for (const report& of : reports) {
    all_right = all_right && of.right != 0;
    most_bytes = std::max(most_bytes, of.received_bytes);
    most_ms = std::max(most_ms, of.communication_ms);
  }
  if (!all_right) shared.wrong = true;
  const double ms = median(times);
  const double efficiency =
      scaling == std::string("weak") ? one_ms / ms : one_ms / (ms * ctx.size());
  std::printf(
      "%-18s %-6s %2d ranks %12llu items %9.3f ms  one %9.3f ms  efficiency %5.3f  "
      "communication %5.1f %%  %8.3f MB  %s\n",
      Case::name, scaling, ctx.size(), static_cast<unsigned long long>(count), ms, one_ms,
      efficiency, 100 * most_ms / counted_ms, static_cast<double>(most_bytes) * 1e-6,
      all_right ? "checked" : "WRONG");
  std::fflush(stdout);
  shared.results.push_back({{"name", Case::name},
                            {"scaling", scaling},
                            {"communicator", shared.chosen.communicator},
                            {"ranks", ctx.size()},
                            {"items", count},
                            {"check", all_right ? "right" : "wrong"},
                            {"one_ms", one_ms},
                            {"median_ms", ms},
                            {"min_ms", *std::min_element(times.begin(), times.end())},
                            {"efficiency", efficiency},
                            {"communication_share", most_ms / counted_ms},
                            {"most_received_bytes", most_bytes}});
}

template <class Case, class Context>
void run_case(Context& ctx, shared_state& shared) {
  if (!std::regex_search(Case::name, std::regex(shared.chosen.filter))) return;
  const std::uint64_t count = std::uint64_t{1} << shared.chosen.exponent;
  const std::uint64_t more = count * static_cast<std::uint64_t>(ctx.size());
  // Rank 0 has the results of one context; the others get them from its memory.
  using result = decltype(run_single<Case>(ctx.local(), count, 0, *static_cast<double*>(nullptr)));
  result expected;
  double one_ms = 0;
  const auto check_against = [&](std::uint64_t size, int repeats, const char* scaling) {
    if (ctx.rank() == 0) expected = run_single<Case>(ctx.local(), size, repeats, one_ms);
    const auto all = ef::detail::gather_value(ctx, reinterpret_cast<std::uintptr_t>(&expected));
    run_distributed<Case>(ctx, shared, scaling, size, *reinterpret_cast<const result*>(all[0]),
                          one_ms);
    ctx.communicator().barrier();
  };
  check_against(count, shared.chosen.repeats, "strong");
  if (ctx.size() > 1) check_against(more, 0, "weak");
}

template <class Inner>
void run_cases(Inner& inner, local_context& local, shared_state& shared) {
  counting_communicator<Inner> communicator(inner);
  ef::distributed_context<local_context, counting_communicator<Inner>> ctx(local, communicator);
  run_case<reduce_case>(ctx, shared);
  run_case<scan_case>(ctx, shared);
  run_case<histogram_case>(ctx, shared);
  run_case<segreduce_case>(ctx, shared);
  run_case<spmv_case<columns_nearby>>(ctx, shared);
  run_case<spmv_case<columns_below>>(ctx, shared);
  run_case<sort_case<keys>>(ctx, shared);
  run_case<sort_case<wide_keys>>(ctx, shared);
  run_case<join_case<ascending<7>, ascending<8>>>(ctx, shared);
  run_case<join_case<halves, numbers>>(ctx, shared);
  run_case<pagerank_case<columns_nearby>>(ctx, shared);
  run_case<pagerank_case<columns_below>>(ctx, shared);
  run_case<bfs_case>(ctx, shared);
}

void run_rank(ef::thread_communicator& threads, shared_state& shared) {
#if defined(__CUDACC__)
  ef::device::check_cuda(cudaSetDevice(threads.rank()), "cudaSetDevice");
  ef::cuda_context local(threads.rank());
  local.allow_peers();
  if (shared.chosen.communicator == "nccl") {
    ef::nccl_communicator<ef::thread_communicator> nccl(threads, local);
    return run_cases(nccl, local, shared);
  }
#else
  ef::cpu_context local(shared.chosen.threads);
#endif
  run_cases(threads, local, shared);
}

}  // namespace

int run_program(int argc, char** argv) {
  options chosen;
  std::vector<std::string> communicators{"threads"};
#if defined(__CUDACC__)
  communicators.emplace_back("nccl");
  chosen.exponent = 28;
  int gpus = 0;
  ef::device::check_cuda(cudaGetDeviceCount(&gpus), "cudaGetDeviceCount");
  for (int ranks = 1; ranks <= gpus; ranks *= 2) chosen.ranks.push_back(ranks);
#else
  chosen.ranks = {1, 2};
#endif
  CLI::App app("Measures the scaling of the distributed algorithms, and checks their results.");
  app.add_option("--ranks", chosen.ranks, "numbers of ranks (default: powers of two)")
      ->delimiter(',')
      ->check(CLI::Range(1, 1024));
  app.add_option("--communicator", chosen.communicator, "what moves the data between ranks")
      ->check(CLI::IsMember(communicators));
  app.add_option("--size", chosen.exponent, "each rank has 2^SIZE items in weak scaling")
      ->check(CLI::Range(8, 34));
  app.add_option("--repeats", chosen.repeats, "number of timed calls (default 10)")
      ->check(CLI::Range(1, 1000));
  app.add_option("--threads", chosen.threads, "CPU threads of each rank (default 1)")
      ->check(CLI::Range(1, 4096));
  app.add_option("--filter", chosen.filter, "run the cases whose names match this expression");
  app.add_option("--json", chosen.json_file, "write the results to this file");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  shared_state shared{chosen, results};
  for (const int ranks : chosen.ranks) {
    ef::run_ranks(ranks, [&](ef::thread_communicator& threads) { run_rank(threads, shared); });
  }
  if (!chosen.json_file.empty()) {
    std::ofstream out(chosen.json_file);
    out << nlohmann::ordered_json{{"cases", results}}.dump(2) << '\n';
    out.close();
    if (!out) throw std::runtime_error("cannot write " + chosen.json_file);
  }
  return shared.wrong ? 1 : 0;
}

}  // namespace bench
