#pragma once
// `engine_thread`: an engine, and the thread that its work runs on.
//
// An engine is used by one thread at a time, so that every call of Python hands its work to one
// thread and waits for it without the interpreter lock. The caller can be interrupted while it
// waits. A child process starts a thread of its own, since fork() copies only the calling thread.
// Neither the thread nor the engine ends before the process.
//
// Waking a thread that sleeps takes tens of microseconds, which is more than the work of a small
// call. Both sides of a call therefore stay awake for a short time before they sleep, and yield
// their cores to other threads meanwhile. Work on few elements does not go to the thread at all.

#include <nanobind/nanobind.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

#include "runtime/engine.hpp"

namespace evenfold::python {

namespace nb = nanobind;

class engine_thread {
 public:
  /// `serial`, which may be missing, is an engine of one thread of the host, for few elements.
  explicit engine_thread(std::unique_ptr<runtime::engine> engine,
                         std::unique_ptr<runtime::engine> serial = nullptr)
      : engine_(*engine.release()), serial_(serial.release()) {}
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
    struct task {
      std::optional<Work> work;
      std::promise<result_type> promise;
    };
    const auto shared = std::make_shared<task>(task{std::move(work), {}});
    std::future<result_type> result = shared->promise.get_future();
    submit([shared](runtime::engine& engine) { perform(*shared, engine); });
    wait(result);
    return result.get();
  }

  /// The same for work on about so many elements. Where these are few, the work is done by the
  /// calling thread, and is not interrupted: on the host with the interpreter lock, by an engine
  /// that starts no threads, which a child process could not use; on a GPU unless the thread of the
  /// engine is at work.
  template <class Work>
  auto run(std::size_t elements, Work work) -> std::invoke_result_t<Work&, runtime::engine&> {
    constexpr std::size_t few = 4096;
    if (elements <= few) {
      if (serial_ != nullptr) return work(*serial_);
      if (side() == memory_side::device && process_ == getpid()) {
        const nb::gil_scoped_release unlocked;
        const std::unique_lock alone(queue_->working, std::try_to_lock);
        if (alone && !queue_->has_jobs) return work(engine_);
      }
    }
    return run(std::move(work));
  }

  /// Waits for work that goes on in the background. Called without the interpreter lock, so that
  /// the work can release objects of Python.
  void finish() {
    if (process_ != getpid()) return;
    const auto done = std::make_shared<std::promise<void>>();
    const std::future<void> finished = done->get_future();
    submit([done](runtime::engine&) { done->set_value(); });
    finished.wait();
  }

  /// The engine, for work that depends on the calling thread, such as on its default stream, and
  /// that no other work disturbs.
  runtime::engine& here() { return engine_; }

  const std::string& name() const { return engine_.name(); }
  memory_side side() const { return engine_.side(); }

 private:
  using job = std::function<void(runtime::engine&)>;

  struct queue {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<job> jobs;
    std::atomic<bool> has_jobs = false;
    /// Held by the thread that uses the engine.
    std::mutex working;
  };

  /// How long a wait may be awake: on the host, where the work itself needs the cores, as long as
  /// few elements take.
  static std::chrono::microseconds awake(const runtime::engine& engine) {
    return std::chrono::microseconds(engine.side() == memory_side::host ? 20 : 200);
  }

  /// Returns when a condition holds, or when it is time to sleep. A thread whose core was taken by
  /// another one sleeps at once, also in the next waits: a thread that was asleep is scheduled
  /// sooner than one that waits awake.
  template <class Condition>
  static void wait_awake(const Condition& holds, std::chrono::microseconds longest) {
    using clock = std::chrono::steady_clock;
    constexpr auto undisturbed = std::chrono::microseconds(50);
    thread_local int waits_asleep = 0;
    if (waits_asleep > 0) {
      --waits_asleep;
      return;
    }
    const clock::time_point end = clock::now() + longest;
    for (clock::time_point now = end - longest, before = now; !holds() && now < end; before = now) {
      std::this_thread::yield();
      now = clock::now();
      if (now - before > undisturbed) {
        waits_asleep = 1000;
        return;
      }
    }
  }

  [[noreturn]] static void serve(queue& from, runtime::engine& engine) {
    while (true) {
      wait_awake([&] { return from.has_jobs.load(); }, awake(engine));
      job next;
      {
        std::unique_lock lock(from.mutex);
        from.changed.wait(lock, [&] { return !from.jobs.empty(); });
        next = std::move(from.jobs.front());
        from.jobs.pop_front();
        from.has_jobs = !from.jobs.empty();
      }
      const std::lock_guard alone(from.working);
      next(engine);
    }
  }

  /// What the work has captured is released before the caller goes on, so that the caller is the
  /// one who releases objects of Python, unless it was interrupted.
  template <class Task>
  static void perform(Task& task, runtime::engine& engine) {
    try {
      if constexpr (std::is_void_v<decltype((*task.work)(engine))>) {
        (*task.work)(engine);
        task.work.reset();
        task.promise.set_value();
      } else {
        auto made = (*task.work)(engine);
        task.work.reset();
        task.promise.set_value(std::move(made));
      }
    } catch (...) {
      task.work.reset();
      task.promise.set_exception(std::current_exception());
    }
  }

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
      queue_->has_jobs = true;
    }
    queue_->changed.notify_one();
  }

  template <class Result>
  void wait(const std::future<Result>& result) {
    const auto is_ready = [&] {
      return result.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    };
    constexpr auto between_signals = std::chrono::milliseconds(50);
    while (true) {
      {
        const nb::gil_scoped_release unlocked;
        wait_awake(is_ready, awake(engine_));
        if (result.wait_for(between_signals) == std::future_status::ready) return;
      }
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
  }

  runtime::engine& engine_;
  runtime::engine* const serial_;
  pid_t process_ = 0;
  queue* queue_ = nullptr;
};

}  // namespace evenfold::python
