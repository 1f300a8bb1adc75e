// The program that runs the cases: options, timing in turns, the table and the JSON file.

#include "bench/harness.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "bench/main.hpp"
#include "evenfold/core/config.hpp"

namespace bench {
namespace {

constexpr int warm_up = 3;
/// Copy bandwidth of the H100 80GB HBM3 on which the published figures were measured.
constexpr double published_copy_gbs = 3030;

struct known_case {
  std::string name;
  std::function<prepared_case(const options&)> make;
};

std::vector<known_case>& known_cases() {
  static std::vector<known_case> cases;
  return cases;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

measured summarise(const std::string& name, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const std::size_t half = times.size() / 2;
  const double median = times.size() % 2 == 1 ? times[half] : (times[half - 1] + times[half]) / 2;
  return {name, median, times.front(), times.back()};
}

/// Contestants run alternately, so that a changing clock or another process affects all of them.
std::vector<measured> time_in_turns(const prepared_case& match, int repeats, timer& clock) {
  const auto turn = [&](const contestant& c, bool timed) {
    if (c.prepare) c.prepare();
    if (timed) clock.begin();
    c.run();
    if (timed) clock.end();
  };
  for (int i = 0; i < warm_up; ++i) {
    for (const contestant& c : match.contestants) {
      if (i < c.most_repeats) turn(c, false);
    }
  }
  std::vector<std::size_t> whose;
  for (int i = 0; i < repeats; ++i) {
    for (std::size_t k = 0; k < match.contestants.size(); ++k) {
      if (i >= match.contestants[k].most_repeats) continue;
      turn(match.contestants[k], true);
      whose.push_back(k);
    }
  }
  std::vector<std::vector<double>> times(match.contestants.size());
  const std::vector<double> collected = clock.collect_ms();
  for (std::size_t i = 0; i < whose.size(); ++i) times[whose[i]].push_back(collected[i]);

  std::vector<measured> result;
  for (std::size_t k = 0; k < times.size(); ++k) {
    result.push_back(summarise(match.contestants[k].name, std::move(times[k])));
  }
  return result;
}

double gbs(double bytes, double ms) { return bytes / ms * 1e-6; }

struct judged {
  std::string text;
  double limit_ms;
  bool met;
};

class session {
 public:
  session(const options& chosen, std::string json_file)
      : options_(chosen), json_file_(std::move(json_file)), platform_(open_platform(chosen)) {
    bandwidth_ = platform_->bandwidth_gbs();
    std::printf("%s\n", platform_->device().c_str());
    for (const auto& [name, value] : platform_->facts()) {
      std::printf("%s %s\n", name.c_str(), value.c_str());
    }
    std::printf("%s %.0f GB/s (bytes read + written)\n", platform_->bandwidth_name(), bandwidth_);
    if (!platform_->published_here()) {
      scale_ = bandwidth_ / published_copy_gbs;
      std::printf("the published figures are of another device: they are scaled by %.3f\n", scale_);
    }
    std::printf(
        "GB/s counts each compulsory byte once. Contestants run in turns; caches are not flushed "
        "between them.\n");
  }

  void run(const known_case& chosen) {
    case_result result{chosen.name, 0, "", {}};
    std::vector<mark> marks;
    try {
      const prepared_case match = chosen.make(options_);
      result.bytes = match.bytes;
      marks = match.marks;
      result.wrong = match.check();
      if (result.wrong.empty()) {
        const std::unique_ptr<timer> clock =
            match.host_clock ? std::make_unique<host_timer>() : platform_->make_timer();
        result.contestants = time_in_turns(match, options_.repeats * match.repeats_factor, *clock);
      }
    } catch (const std::exception& e) {
      result.wrong = e.what();
    }
    wrong_ += result.wrong.empty() ? 0 : 1;
    results_.push_back(std::move(result));
    marks_.push_back(std::move(marks));
    print(results_.back());
    // A run that is interrupted leaves the results so far.
    write_json();
  }

  /// Marks are checked at the end, because some compare one case with another.
  int finish() {
    try {
      bandwidth_after_ = platform_->bandwidth_gbs();
      std::printf("\n%s %.0f GB/s before, %.0f GB/s after\n", platform_->bandwidth_name(),
                  bandwidth_, *bandwidth_after_);
    } catch (const std::exception& e) {
      // If a case makes the device fail, the results before it are kept.
      std::printf("\n%s afterwards: %s\n", platform_->bandwidth_name(), e.what());
    }
    std::printf("\n%-32s %10s %10s  mark\n", "case", "ours ms", "at most");
    for (std::size_t i = 0; i < results_.size(); ++i) {
      for (const judged& j : judge(i)) {
        std::printf("%-32s %10s %10s  %s: %s\n", results_[i].name.c_str(),
                    number(results_[i].ours_ms()).c_str(), number(j.limit_ms).c_str(),
                    j.text.c_str(), j.met ? "met" : "NOT MET");
      }
    }
    write_json();
    if (wrong_ > 0) std::printf("\n%d of %zu cases WRONG\n", wrong_, results_.size());
    return wrong_ > 0 ? 1 : 0;
  }

 private:
  void print(const case_result& result) const {
    std::printf("\n%s  (%.1f MB)  ", result.name.c_str(), result.bytes * 1e-6);
    if (result.wrong.empty()) {
      std::printf("checked\n");
    } else {
      std::printf("WRONG: %s\n", result.wrong.c_str());
    }
    for (const measured& m : result.contestants) {
      std::printf("  %-28s %10s ms  (min %10s)  %8.1f GB/s  %6.3f x %s\n", m.name.c_str(),
                  number(m.median_ms).c_str(), number(m.min_ms).c_str(),
                  gbs(result.bytes, m.median_ms), gbs(result.bytes, m.median_ms) / bandwidth_,
                  platform_->bandwidth_name());
    }
    if (const auto peer = result.best_peer_ms()) {
      std::printf("  ours is %.3f x as fast as the best peer\n", *peer / result.ours_ms());
    }
    std::fflush(stdout);
  }

  std::vector<judged> judge(std::size_t i) const {
    std::vector<judged> verdicts;
    if (!results_[i].timed()) return verdicts;
    const mark_data known{results_, results_[i], bandwidth_, scale_, !options_.quick};
    for (const mark& m : marks_[i]) {
      if (const auto limit = m.limit_ms(known)) {
        verdicts.push_back({m.text, *limit, results_[i].ours_ms() <= *limit});
      }
    }
    return verdicts;
  }

  void write_json() const {
    if (json_file_.empty()) return;
    using nlohmann::ordered_json;
    char date[32];
    const std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));

    const std::string bandwidth_key = std::string(platform_->bandwidth_name()) + "_gbs";
    ordered_json file;
    file["device"] = platform_->device();
    for (const auto& [name, value] : platform_->facts()) file[name] = value;
    file["evenfold"] = std::to_string(evenfold::version_major) + "." +
                       std::to_string(evenfold::version_minor) + "." +
                       std::to_string(evenfold::version_patch);
    file["date"] = date;
    file["quick"] = options_.quick;
    file["repeats"] = options_.repeats;
    file[bandwidth_key] = bandwidth_;
    if (bandwidth_after_) file[bandwidth_key + "_after"] = *bandwidth_after_;
    file["published_scale"] = scale_;
    file["cases"] = ordered_json::array();
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const case_result& result = results_[i];
      ordered_json one;
      one["name"] = result.name;
      one["bytes"] = result.bytes;
      one["check"] = result.wrong.empty() ? "right" : result.wrong;
      one["contestants"] = ordered_json::array();
      for (const measured& m : result.contestants) {
        const double speed = gbs(result.bytes, m.median_ms);
        one["contestants"].push_back(
            {{"name", m.name},
             {"median_ms", m.median_ms},
             {"min_ms", m.min_ms},
             {"max_ms", m.max_ms},
             {"gbs", speed},
             {std::string(platform_->bandwidth_name()) + "_share", speed / bandwidth_}});
      }
      const auto peer = result.best_peer_ms();
      one["ratio_to_best_peer"] = peer ? ordered_json(*peer / result.ours_ms()) : ordered_json();
      std::string text;
      bool met = true;
      const std::vector<judged> verdicts = judge(i);
      for (const judged& j : verdicts) {
        text += (text.empty() ? "" : "; ") + j.text;
        met = met && j.met;
      }
      one["mark"] = verdicts.empty() ? ordered_json() : ordered_json(text);
      one["met"] = verdicts.empty() ? ordered_json() : ordered_json(met);
      file["cases"].push_back(std::move(one));
    }
    std::ofstream out(json_file_);
    out << file.dump(2) << '\n';
    out.close();
    if (!out) throw std::runtime_error("cannot write " + json_file_);
  }

  options options_;
  std::string json_file_;
  std::unique_ptr<platform> platform_;
  double bandwidth_ = 0;
  std::optional<double> bandwidth_after_;
  double scale_ = 1;
  std::vector<case_result> results_;
  std::vector<std::vector<mark>> marks_;
  int wrong_ = 0;
};

}  // namespace

int run_program(int argc, char** argv) {
  options chosen;
  std::string filter = ".*";
  std::string json_file;
  bool list = false;
  CLI::App app("Times Evenfold and its peers in one run, and checks each result of Evenfold.");
  app.add_option("--filter", filter, "run the cases whose names match this regular expression");
  app.add_flag("--list", list, "list the names of the cases and run none");
  app.add_option("--repeats", chosen.repeats,
                 "number of timed calls of each contestant (default 20)")
      ->check(CLI::Range(1, 1000));
  app.add_option("--json", json_file, "write the results to this file");
  app.add_flag("--quick", chosen.quick,
               "use at most 2^22 elements, to check that the cases run and are right");
  app.add_option("--threads", chosen.threads, "number of CPU threads (default: all)")
      ->check(CLI::Range(0, 4096));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }

  std::vector<known_case> cases = known_cases();
  const std::regex wanted(filter);
  std::erase_if(cases, [&](const known_case& c) { return !std::regex_search(c.name, wanted); });
  if (list) {
    for (const known_case& c : cases) std::printf("%s\n", c.name.c_str());
    return 0;
  }
  if (cases.empty())
    throw std::runtime_error("no case matches `" + filter + "`; --list prints all names");
  session run(chosen, json_file);
  for (const known_case& c : cases) run.run(c);
  return run.finish();
}

std::optional<double> case_result::best_peer_ms() const {
  std::optional<double> best;
  for (std::size_t k = 1; k < contestants.size(); ++k) {
    best = std::min(best.value_or(contestants[k].median_ms), contestants[k].median_ms);
  }
  return best;
}

std::string data_file(const std::string& name) {
  const char* const folder = std::getenv("EVENFOLD_DATA");
  return (folder != nullptr ? folder : EVENFOLD_SOURCE_DIR "/../shared/data") + ("/" + name);
}

mark at_least_best_peer(double factor) {
  return {"speed >= " + number(factor) + " x best peer",
          [=](const mark_data& s) -> std::optional<double> {
            const auto peer = s.own.best_peer_ms();
            return peer ? std::optional(*peer / factor) : std::nullopt;
          }};
}

mark at_most_best_peer(double factor) {
  return {"time <= " + number(factor) + " x best peer",
          [=](const mark_data& s) -> std::optional<double> {
            const auto peer = s.own.best_peer_ms();
            return peer ? std::optional(*peer * factor) : std::nullopt;
          }};
}

mark at_least_bandwidth(double factor) {
  return {"speed >= " + number(factor) + " x bandwidth",
          [=](const mark_data& s) -> std::optional<double> {
            if (!s.full_size) return std::nullopt;
            return s.own.bytes / (factor * s.bandwidth_gbs) * 1e-6;
          }};
}

mark at_least_published(double factor, double published_gbs, const std::string& whose) {
  return {"speed >= " + number(factor) + " x " + number(published_gbs) + " GB/s of " + whose,
          [=](const mark_data& s) -> std::optional<double> {
            if (!s.full_size) return std::nullopt;
            return s.own.bytes / (factor * published_gbs * s.published_scale) * 1e-6;
          }};
}

mark at_most_published(double factor, double published_ms, const std::string& whose) {
  return {"time <= " + number(factor) + " x " + number(published_ms) + " ms of " + whose,
          [=](const mark_data& s) -> std::optional<double> {
            if (!s.full_size) return std::nullopt;
            return factor * published_ms / s.published_scale;
          }};
}

mark at_most_case(double factor, const std::string& name) {
  return {"time <= " + number(factor) + " x ours in " + name,
          [=](const mark_data& s) -> std::optional<double> {
            for (const case_result& other : s.all) {
              if (other.name == name && other.timed()) return factor * other.ours_ms();
            }
            return std::nullopt;
          }};
}

mark at_least_best_case(double factor, const std::string& prefix) {
  return {"speed >= " + number(factor) + " x best of " + prefix + "*",
          [=](const mark_data& s) -> std::optional<double> {
            double best = 0;
            for (const case_result& other : s.all) {
              if (other.name.starts_with(prefix) && other.timed()) {
                best = std::max(best, gbs(other.bytes, other.ours_ms()));
              }
            }
            return s.own.bytes / (factor * best) * 1e-6;
          }};
}

add_case::add_case(std::string name, std::function<prepared_case(const options&)> make) {
  known_cases().push_back({std::move(name), std::move(make)});
}

}  // namespace bench
