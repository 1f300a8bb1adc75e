#pragma once
// `engine_thread`: an engine, and the thread that its work runs on.
//
// An engine is used by one thread at a time, so that every call of Python hands its work to one
// thread and waits for it without the interpreter lock. The caller can be interrupted while it
// waits. A child process starts a thread of its own, since fork() copies only the calling thread.
// Neither the thread nor the engine ends before the process.

#include <nanobind/nanobind.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "runtime/engine.hpp"

namespace evenfold::python {

namespace nb = nanobind;

class engine_thread {
 public:
  explicit engine_thread(std::unique_ptr<runtime::engine> engine) : engine_(*engine.release()) {}
  engine_thread(const engine_thread&) = delete;
  engine_thread& operator=(const engine_thread&) = delete;

  /// Runs work(engine) on the thread, without the interpreter lock, and returns its result.
  ///
  /// Errors: those of the work; nb::python_error where a signal handler has raised, such as
  /// KeyboardInterrupt. The work then goes on in the background and keeps what it has captured:
  /// captures must be by value.
  template <class Work>
  auto run(Work work) -> std::invoke_result_t<Work&, runtime::engine&> {
    using result_type = std::invoke_result_t<Work&, runtime::engine&>;
    auto task =
        std::make_shared<std::packaged_task<result_type(runtime::engine&)>>(std::move(work));
    std::future<result_type> result = task->get_future();
    submit([task](runtime::engine& engine) { (*task)(engine); });
    task.reset();
    wait(result);
    return result.get();
  }

  const std::string& name() const { return engine_.name(); }
  memory_side side() const { return engine_.side(); }

 private:
  using job = std::function<void(runtime::engine&)>;

  struct queue {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<job> jobs;
  };

  [[noreturn]] static void serve(queue& from, runtime::engine& engine) {
    while (true) {
      job next;
      {
        std::unique_lock lock(from.mutex);
        from.changed.wait(lock, [&] { return !from.jobs.empty(); });
        next = std::move(from.jobs.front());
        from.jobs.pop_front();
      }
      next(engine);
    }
  }

  /// Called with the interpreter lock.
  void submit(job next) {
    if (process_ != getpid()) {
      process_ = getpid();
      // Not freed: in a child process, it is a copy of what the thread of the parent may hold.
      queue_ = new queue;
      std::thread([&jobs = *queue_, &engine = engine_] { serve(jobs, engine); }).detach();
    }
    {
      const std::lock_guard lock(queue_->mutex);
      queue_->jobs.push_back(std::move(next));
    }
    queue_->changed.notify_one();
  }

  template <class Result>
  static void wait(const std::future<Result>& result) {
    constexpr auto between_signals = std::chrono::milliseconds(50);
    while (true) {
      {
        const nb::gil_scoped_release unlocked;
        if (result.wait_for(between_signals) == std::future_status::ready) return;
      }
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
  }

  runtime::engine& engine_;
  pid_t process_ = 0;
  queue* queue_ = nullptr;
};

}  // namespace evenfold::python
