#pragma once
// The bench harness: cases, contestants, marks. A run checks our result against an independent one,
// and then times ours and the peers alternately.
//
// A bench file defines cases at namespace scope: `const bench::add_case name{"name", make};`. Each
// program defines `open_platform`, which measures time and the bandwidth of memory.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bench {

struct options {
  bool quick = false;
  int repeats = 20;
  int threads = 0;

  /// 2^exponent, or 2^22 at most in a quick run.
  int size(int exponent) const { return 1 << (quick && exponent > 22 ? 22 : exponent); }
};

/// Measures the times of many stretches of work. They are known only after `collect_ms` has waited
/// for them, so that a device is never idle between two stretches.
class timer {
 public:
  virtual ~timer() = default;
  virtual void begin() = 0;
  virtual void end() = 0;
  virtual std::vector<double> collect_ms() = 0;
};

/// A timer of work that is finished when the call returns.
class host_timer final : public timer {
 public:
  void begin() override { start_ = clock::now(); }
  void end() override {
    times_.push_back(std::chrono::duration<double, std::milli>(clock::now() - start_).count());
  }
  std::vector<double> collect_ms() override { return std::exchange(times_, {}); }

 private:
  using clock = std::chrono::steady_clock;
  clock::time_point start_;
  std::vector<double> times_;
};

/// The device that the program measures.
class platform {
 public:
  virtual ~platform() = default;
  virtual std::string device() = 0;
  /// Other facts that a reader of the results needs: name and value.
  virtual std::vector<std::pair<std::string, std::string>> facts() = 0;
  /// The name of the kernel that `bandwidth_gbs` measures.
  virtual const char* bandwidth_name() = 0;
  /// Bytes read and written per second by the simplest kernel over large arrays.
  virtual double bandwidth_gbs() = 0;
  virtual std::unique_ptr<timer> make_timer() = 0;
  /// Whether published figures were measured on such a device. On other devices they are scaled by
  /// bandwidth.
  virtual bool published_here() = 0;
};
std::unique_ptr<platform> open_platform(const options& chosen);

struct contestant {
  std::string name;
  std::function<void()> run;
  /// Restores what `run` overwrites. Not timed.
  std::function<void()> prepare = {};
  /// The largest number of repeats, for slow contestants. It also bounds the warm-up.
  int most_repeats = 1000;
};

struct measured {
  std::string name;
  double median_ms = 0, min_ms = 0, max_ms = 0;
};

struct case_result {
  std::string name;
  double bytes = 0;
  /// Empty if the result is right, else the error.
  std::string wrong;
  std::vector<measured> contestants;

  bool timed() const { return !contestants.empty(); }
  double ours_ms() const { return contestants.front().median_ms; }
  std::optional<double> best_peer_ms() const;
};

/// The data from which marks are computed.
struct mark_data {
  const std::vector<case_result>& all;
  const case_result& own;
  double bandwidth_gbs;
  /// This device's bandwidth over that of the device of the published figures.
  double published_scale;
  bool full_size;
};

/// The longest time that ours may take, or nothing if this run does not determine it.
struct mark {
  std::string text;
  std::function<std::optional<double>(const mark_data&)> limit_ms;
};

/// Speed at least `factor` times the best peer's.
mark at_least_best_peer(double factor);
/// Time at most `factor` times the best peer's.
mark at_most_best_peer(double factor);
/// Bytes per second at least `factor` times the bandwidth of the platform.
mark at_least_bandwidth(double factor);
/// Compares with a published figure of a peer.
mark at_least_published(double factor, double gbs, const std::string& whose);
mark at_most_published(double factor, double ms, const std::string& whose);
/// Time at most `factor` times that of ours in another case.
mark at_most_case(double factor, const std::string& name);
/// Bytes per second at least `factor` times ours in the best of the cases whose names begin with
/// `prefix`.
mark at_least_best_case(double factor, const std::string& prefix);

/// A case with its data. The functions own the data.
struct prepared_case {
  /// The compulsory bytes, each counted once: inputs read, outputs written, offsets read.
  double bytes = 0;
  /// Ours is the first one.
  std::vector<contestant> contestants = {};
  /// Runs ours and compares the result. Returns the error, or nothing.
  std::function<std::string()> check = {};
  std::vector<mark> marks = {};
  /// Time from call to return instead of time on the device.
  bool host_clock = false;
  /// Multiplies the number of repeats, for calls of a few microseconds.
  int repeats_factor = 1;
};

/// The repeats_factor of a call that takes `count` elements.
constexpr int repeats_factor_of(std::int64_t count) { return count < 1 << 22 ? 10 : 1; }

/// The path of a file of the shared data: in $EVENFOLD_DATA, else in ../shared/data.
std::string data_file(const std::string& name);

/// Adds a case to the program.
class add_case {
 public:
  add_case(std::string name, std::function<prepared_case(const options&)> make);
};

}  // namespace bench
