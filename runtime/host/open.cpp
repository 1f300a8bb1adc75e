// Opens the engines that run on the host.

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "runtime/backend.hpp"
#include "runtime/ranks/rank_communicator.hpp"

namespace evenfold::runtime {

namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "processor";
}

device_facts host_facts(const char* backend, int workers) {
  device_facts facts;
  facts.backend = backend;
  facts.name = processor_name();
  facts.workers = workers;
  facts.memory_bytes =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return facts;
}

}  // namespace

// engine.cpp defines it once per backend.
template <>
std::unique_ptr<engine> engine_of(std::unique_ptr<cpu_context> ctx, std::string name,
                                  std::vector<std::unique_ptr<cpu_context>> ranks);
template <>
std::unique_ptr<engine> engine_of(std::unique_ptr<reference_context> ctx, std::string name,
                                  std::vector<std::unique_ptr<reference_context>> ranks);

device_facts hardware_facts(const cpu_context& ctx) { return host_facts("OpenMP", ctx.threads()); }
device_facts hardware_facts(const reference_context&) { return host_facts("serial", 1); }

device_number number_of(const cpu_context&) { return {}; }

void order_stream_after(cpu_context&, void*) {}
void order_stream_after(reference_context&, void*) {}
void order_after_stream(cpu_context&, void*) {}
void order_after_stream(reference_context&, void*) {}

std::unique_ptr<engine> open_cpu(int threads) {
  return engine_of(std::make_unique<cpu_context>(threads), "cpu");
}

std::unique_ptr<engine> open_cpu_ranks(int ranks, int threads) {
  if (ranks < 1) {
    detail::refuse_argument("open_cpu_ranks", "ranks", ranks, "there is at least one rank",
                            "pass the number of ranks");
  }
  auto ctx = std::make_unique<cpu_context>(threads);
  const int of_rank = std::max(1, ctx->threads() / ranks);
  std::vector<std::unique_ptr<cpu_context>> contexts;
  contexts.reserve(static_cast<std::size_t>(ranks));
  for (int r = 0; r < ranks; ++r) contexts.push_back(std::make_unique<cpu_context>(of_rank));
  return engine_of(std::move(ctx), "cpu:" + std::to_string(ranks), std::move(contexts));
}

std::unique_ptr<engine> open_reference() {
  return engine_of(std::make_unique<reference_context>(), "reference");
}

}  // namespace evenfold::runtime
