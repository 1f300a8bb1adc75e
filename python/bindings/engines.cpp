// Engines by name, which are opened once.

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "python/bindings/families.hpp"

namespace evenfold::python {

namespace {

std::unique_ptr<runtime::engine> open(const std::string& name, int threads) {
  if (name == "cpu") return runtime::open_cpu(threads);
  if (name == "reference") return runtime::open_reference();
  const std::string ranks = "cpu:";
  if (name.starts_with(ranks)) {
    return runtime::open_cpu_ranks(std::stoi(name.substr(ranks.size())), threads);
  }
  const std::string gpu = "gpu:";
  if (name.starts_with(gpu)) return runtime::open_gpu(std::stoi(name.substr(gpu.size())));
  detail::refuse_argument("evenfold", "device", name, "there is no such device",
                          "pass 'cpu', 'reference' or 'gpu:0'");
}

/// What does the work on few elements for an engine of the host; nullptr for others, and for ranks.
std::unique_ptr<runtime::engine> open_serial(const std::string& name) {
  if (name == "cpu") return runtime::open_cpu(1);
  if (name == "reference") return runtime::open_reference();
  return nullptr;
}

/// The engines that are open, by their names and numbers of threads.
auto& opened() {
  static auto& engines = *new std::map<std::pair<std::string, int>, engine_thread*>;
  return engines;
}

/// The engine of a name and a number of threads. It is opened once, and never closed.
engine_thread& engine_of(const std::string& name, int threads) {
  engine_thread*& engine = opened()[{name, threads}];
  if (engine == nullptr) engine = new engine_thread(open(name, threads), open_serial(name));
  return *engine;
}

/// Kept with the others, under a name of its own.
engine_thread& keep(std::unique_ptr<runtime::engine> rank, int threads) {
  const std::string name = "processes " + std::to_string(opened().size());
  engine_thread*& engine = opened()[{name, threads}];
  engine = new engine_thread(std::move(rank));
  return *engine;
}

engine_thread& engine_of_processes(nb::object processes, int threads) {
  return keep(open_rank(std::move(processes), threads), threads);
}

engine_thread& engine_of_meeting(const std::string& place, int rank, int size, double seconds,
                                 int threads) {
  std::unique_ptr<runtime::engine> opened_rank;
  {
    const nb::gil_scoped_release unlocked;
    opened_rank = open_meeting(place, rank, size, seconds, threads);
  }
  return keep(std::move(opened_rank), threads);
}

nb::typed<nb::dict, nb::str, nb::object> facts_of(engine_thread& engine) {
  const runtime::device_facts facts =
      engine.run([](runtime::engine& work) { return work.facts(); });
  nb::dict result;
  result["device"] = facts.device;
  result["backend"] = facts.backend;
  result["name"] = facts.name;
  result["workers"] = facts.workers;
  result["memory_bytes"] = facts.memory_bytes;
  result["copy_bytes_per_second"] = facts.copy_bytes_per_second;
  return result;
}

}  // namespace

void add_engines(nb::module_& module) {
  nb::class_<engine_thread>(module, "Engine", "An open device, and the thread of its work.")
      .def_prop_ro("name", &engine_thread::name)
      .def_prop_ro("is_on_host",
                   [](const engine_thread& self) { return self.side() == memory_side::host; })
      .def(
          "synchronize",
          [](engine_thread& self) { self.run([](runtime::engine& e) { e.synchronize(); }); },
          "Waits for all work given to the device.")
      .def(
          "order_before",
          [](engine_thread& self, std::uintptr_t stream) {
            self.here().order_before(reinterpret_cast<void*>(stream));
          },
          "stream"_a, "Makes later work of a CUDA stream wait for all work given to the device.")
      .def(
          "order_after",
          [](engine_thread& self, std::uintptr_t stream) {
            self.here().order_after(reinterpret_cast<void*>(stream));
          },
          "stream"_a, "Makes later work of the device wait for all work given to a CUDA stream.")
      .def("facts", &facts_of, "What the device is, and how fast it copies.");
  module.def("engine", &engine_of, "name"_a, "threads"_a = 0, nb::rv_policy::reference,
             "The engine of a name, with a number of threads or one per core.");
  module.def("engine_of_processes", &engine_of_processes, "processes"_a, "threads"_a,
             nb::rv_policy::reference, "A new engine that is one rank of several processes.");
  module.def("engine_of_meeting", &engine_of_meeting, "place"_a, "rank"_a, "size"_a, "seconds"_a,
             "threads"_a, nb::rv_policy::reference,
             "The same of processes that meet at an address or by a file.");
  module.def(
      "finish",
      [] {
        for (const auto& [key, engine] : opened()) {
          if (engine != nullptr) engine->finish();
        }
      },
      nb::call_guard<nb::gil_scoped_release>(), "Waits for work that goes on in the background.");
  module.def("num_gpus", &runtime::num_gpus, "How many GPUs the package can use.");
}

}  // namespace evenfold::python
