#pragma once
// The bench harness: cases, contestants, marks. One run times ours beside its peers, in turns,
// after the result of ours has been checked against an independent one.
//
// A bench file defines cases at namespace scope, `const bench::add_case name{"name", make};`, and
// each program defines `open_platform`: how time is taken there and how fast memory is.

#include <chrono>
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

/// Takes the times of many stretches of work; they are known only once `collect_ms` has waited for
/// them, so that a device is never left idle between two stretches.
class timer {
 public:
  virtual ~timer() = default;
  virtual void begin() = 0;
  virtual void end() = 0;
  virtual std::vector<double> collect_ms() = 0;
};

/// For work that is done when the call returns.
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

/// Where the program measures.
class platform {
 public:
  virtual ~platform() = default;
  virtual std::string device() = 0;
  /// What else a reader of the results needs to know: name and value.
  virtual std::vector<std::pair<std::string, std::string>> facts() = 0;
  /// What `bandwidth_gbs` measures, in one word.
  virtual const char* bandwidth_name() = 0;
  /// Bytes read and written in a second by the plainest kernel over large arrays.
  virtual double bandwidth_gbs() = 0;
  virtual std::unique_ptr<timer> make_timer() = 0;
  /// Whether published figures were taken on such a device; elsewhere they are scaled by bandwidth.
  virtual bool published_here() = 0;
};
std::unique_ptr<platform> open_platform(const options& chosen);

struct contestant {
  std::string name;
  std::function<void()> run;
  /// Restores what `run` destroys; not timed.
  std::function<void()> prepare = {};
  /// For the slow ones; bounds the warm-up too.
  int most_repeats = 1000;
};

struct measured {
  std::string name;
  double median_ms = 0, min_ms = 0, max_ms = 0;
};

struct case_result {
  std::string name;
  double bytes = 0;
  /// Empty where the result is right, else what is wrong.
  std::string wrong;
  std::vector<measured> contestants;

  bool timed() const { return !contestants.empty(); }
  double ours_ms() const { return contestants.front().median_ms; }
  std::optional<double> best_peer_ms() const;
};

/// What a mark may be measured by.
struct standing {
  const std::vector<case_result>& all;
  const case_result& own;
  double bandwidth_gbs;
  /// This device's bandwidth over that of the device of the published figures.
  double published_scale;
  bool full_size;
};

/// The time that ours may take at most, or nothing where that cannot be said in this run.
struct mark {
  std::string text;
  std::function<std::optional<double>(const standing&)> limit_ms;
};

/// Speed at least `factor` times the best peer's.
mark at_least_best_peer(double factor);
/// Time at most `factor` times the best peer's.
mark at_most_best_peer(double factor);
/// Bytes a second at least `factor` times the platform's bandwidth.
mark at_least_bandwidth(double factor);
/// Against a peer's figure that was taken elsewhere.
mark at_least_published(double factor, double gbs, const std::string& whose);
mark at_most_published(double factor, double ms, const std::string& whose);
/// Time at most `factor` times that of ours in another case.
mark at_most_case(double factor, const std::string& name);
/// Bytes a second at least `factor` times ours in the best of the cases whose names begin with
/// `prefix`.
mark at_least_best_case(double factor, const std::string& prefix);

/// A case with its data in place. The functions own the data.
struct bout {
  /// Each compulsory byte once: inputs read, outputs written, offsets read.
  double bytes = 0;
  /// Ours first.
  std::vector<contestant> contestants = {};
  /// Runs ours and compares; says what is wrong, or nothing.
  std::function<std::string()> check = {};
  std::vector<mark> marks = {};
  /// Time from call to return instead of time on the device.
  bool host_clock = false;
  /// Calls of a few microseconds need more repeats than the others.
  int repeats_factor = 1;
};

/// Where a file of the shared data would be: in $EVENFOLD_DATA, else beside the project.
std::string data_file(const std::string& name);

/// Makes a case known to the program.
class add_case {
 public:
  add_case(std::string name, std::function<bout(const options&)> make);
};

}  // namespace bench
