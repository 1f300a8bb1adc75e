#pragma once
// The parts of all reports: the text table, and the phases of a command with their times and their
// progress.

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/engine.hpp"

namespace evenfold::cli {

enum class output_format { table, csv, json };

/// Columns of text, each as wide as its widest cell; a cell may be missing at the end of a row.
class text_table {
 public:
  enum class align { left, right };

  void column(std::string title, align side);
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string text() const;

 private:
  std::vector<std::string> titles_;
  std::vector<align> sides_;
  std::vector<std::vector<std::string>> rows_;
};

/// Writes to standard output, in the first of several processes. Errors: output_error.
void print(std::string_view text);

/// The phases of a command. If standard error is a terminal, the current phase is shown there once
/// the command has run for half a second.
class phases {
 public:
  phases();
  ~phases();
  phases(const phases&) = delete;
  phases& operator=(const phases&) = delete;

  /// Ends the current phase and begins another.
  void begin(std::string name);

  /// begin() as a function, for a query that knows its own phases. The phases must live as long.
  runtime::phase_observer on_begin() {
    return [this](std::string name) { begin(std::move(name)); };
  }

  /// Sets the text shown with the current phase.
  void progress(std::string text);

  /// Ends the current phase. Returns one line per phase and one for the sum: name and milliseconds.
  std::string finish();

 private:
  using clock = std::chrono::steady_clock;

  void show();
  void erase();

  std::vector<std::pair<std::string, clock::time_point>> begun_;
  clock::time_point first_ = clock::now();

  // Shared with the thread that shows the progress.
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string current_;
  bool ended_ = false;
  bool shown_ = false;
  std::thread shower_;
};

}  // namespace evenfold::cli
