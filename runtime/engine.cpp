// The engine of one backend. Compiled once per backend: see runtime/backend.hpp.

#include "runtime/engine.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "evenfold/algorithm/transform.hpp"
#include "runtime/arrays.hpp"
#include "runtime/backend.hpp"
#include "runtime/graphs.hpp"
#include "runtime/matrices.hpp"
#include "runtime/places.hpp"
#include "runtime/sparse.hpp"
#include "runtime/tables.hpp"

namespace evenfold::runtime {

namespace {

/// Copies `count` doubles with `transform` and gives the bytes moved per second in the best of six
/// runs.
double copy_bandwidth(backend_context& ctx, std::size_t count) {
  evenfold::array<double> source(ctx, count);
  evenfold::array<double> target(ctx, count);
  double* const from = source.data();
  double* const to = target.data();
  transform(
      ctx, count, EF_LAMBDA(std::size_t i) { from[i] = static_cast<double>(i); });
  ctx.synchronize();
  double best = 0;
  for (int run = 0; run < 6; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    transform(
        ctx, count, EF_LAMBDA(std::size_t i) { to[i] = from[i]; });
    ctx.synchronize();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    best = std::max(best, 2 * static_cast<double>(count * sizeof(double)) / seconds.count());
  }
  return best;
}

template <class Family>
Family& of_package(const std::shared_ptr<Family>& family) {
  if (family == nullptr)
    throw error(
        "this program is linked without this family of operations, expected libevenfold_runtime");
  return *family;
}

class engine_here final : public engine {
 public:
  explicit engine_here(backend_state state)
      : state_(std::move(state)),
        ctx_(*state_->ctx),
        arrays_(make_arrays(state_)),
        matrices_(make_matrices(state_)),
        sparse_(make_sparse(state_)),
        graphs_(make_graphs(state_)),
        tables_(make_tables(state_)),
        places_(make_places(state_)),
        package_(make_package(state_)) {}
  ~engine_here() override { state_->identity->open = false; }

  const std::string& name() const override { return state_->identity->name; }
  memory_side side() const override { return backend_context::side; }
  std::size_t available_bytes() override { return ctx_.available_bytes(); }
  void synchronize() override { ctx_.synchronize(); }
  void order_before(void* stream) override { order_stream_after(ctx_, stream); }
  void order_after(void* stream) override { order_after_stream(ctx_, stream); }

  array allocate(element_type type, std::size_t count) override {
    if (count > std::numeric_limits<std::size_t>::max() / size_of(type)) {
      detail::refuse_argument("allocate", "count", count, "the bytes needed do not fit an address",
                              "ask for fewer elements");
    }
    return uninitialized(state_, type, count);
  }

  array upload(const array& from) override {
    array result = allocate(from.type(), from.size());
    copy(ctx_, static_cast<const unsigned char*>(from.address()), from.bytes(),
         static_cast<unsigned char*>(result.mutable_address()));
    return result;
  }

  void download(const array& from, void* to) override {
    check_reach("download", "from", from, *state_->identity);
    copy(ctx_, static_cast<const unsigned char*>(from.address()), from.bytes(),
         static_cast<unsigned char*>(to));
    ctx_.synchronize();
  }

  array_operations& arrays() override { return *arrays_; }
  matrix_operations& matrices() override { return *matrices_; }
  sparse_operations& sparse() override { return *sparse_; }
  graph_operations& graphs() override { return *graphs_; }
  sequence_operations& sequences() override { return of_package(package_.sequences); }
  segment_operations& segments() override { return of_package(package_.segments); }
  table_operations& tables() override { return *tables_; }
  place_operations& places() override { return *places_; }
  function_operations& functions() override { return of_package(package_.functions); }

  void join(std::shared_ptr<process_group> processes) override {
    if (!can_have_ranks<backend_context> || !state_->ranks.empty()) {
      detail::refuse_argument("join", "processes", processes->size(),
                              "the engine '" + name() + "' cannot be a rank of processes",
                              "join them with an engine of open_cpu() or open_gpu()");
    }
    if constexpr (can_have_ranks<backend_context>) {
      state_->joined = join_ranks(*processes, ctx_);
      state_->processes = std::move(processes);
    }
  }

  process_group* processes() const override { return state_->processes.get(); }

  void observe(phase_observer observer) override { state_->observer = std::move(observer); }

  device_facts facts() override {
    device_facts result = hardware_facts(ctx_);
    result.device = name();
    // 128 MiB each way; on a GPU a GiB, or less where that would crowd a small device.
    const double bytes = backend_context::side == memory_side::host
                             ? 0x1p27
                             : std::min(0x1p30, result.memory_bytes / 8);
    result.copy_bytes_per_second =
        copy_bandwidth(ctx_, static_cast<std::size_t>(bytes) / sizeof(double));
    return result;
  }

 private:
  backend_state state_;
  backend_context& ctx_;
  std::unique_ptr<array_operations> arrays_;
  std::unique_ptr<matrix_operations> matrices_;
  std::unique_ptr<sparse_operations> sparse_;
  std::unique_ptr<graph_operations> graphs_;
  std::unique_ptr<table_operations> tables_;
  std::unique_ptr<place_operations> places_;
  package_families package_;
};

}  // namespace

template <>
std::unique_ptr<engine> engine_of(std::unique_ptr<backend_context> ctx, std::string name,
                                  std::vector<std::unique_ptr<backend_context>> ranks) {
  auto identity =
      std::make_shared<engine_identity>(engine_identity{std::move(name), backend_context::side});
  return std::make_unique<engine_here>(std::make_shared<device_state<backend_context>>(
      device_state<backend_context>{std::move(ctx), std::move(identity), std::move(ranks)}));
}

}  // namespace evenfold::runtime
