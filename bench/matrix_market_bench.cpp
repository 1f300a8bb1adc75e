// Matrix Market files, read from the page cache, compared with a plain loop of std::from_chars on
// the same number of threads, which checks nothing.

#include <omp.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "bench/harness.hpp"
#include "evenfold/core/random.hpp"
#include "evenfold/io/matrix_market/reader.hpp"
#include "evenfold/io/matrix_market/writer.hpp"

namespace bench {
namespace {

using evenfold::array;
using evenfold::coo;
using evenfold::cpu_context;
using evenfold::file_text;
using evenfold::is_pattern;

template <class Value>
struct reading {
  cpu_context ctx;
  std::string path;
  double bytes = 0;
  coo<Value> ours, theirs;

  reading(std::int64_t count, int threads) : ctx(threads) {
    std::string pattern = (std::filesystem::temp_directory_path() / "evenfold.XXXXXX").string();
    const int descriptor = mkstemp(pattern.data());
    if (descriptor < 0) throw std::runtime_error("no scratch file");
    close(descriptor);
    path = pattern;

    constexpr int vertices = 1000000;
    const evenfold::random_stream random(1);
    coo<Value> made(ctx, vertices, vertices, static_cast<std::int32_t>(count));
#pragma omp parallel for schedule(static)
    for (std::int64_t k = 0; k < count; ++k) {
      const auto at = static_cast<std::uint64_t>(3 * k);
      made.rows[k] = static_cast<std::int32_t>(random.below(at, vertices));
      made.columns[k] = static_cast<std::int32_t>(random.below(at + 1, vertices));
      if constexpr (std::is_integral_v<Value>) {
        made.values[k] = static_cast<Value>(random.below(at + 2, 1000));
      } else if constexpr (!is_pattern<Value>) {
        made.values[k] = random.uniform<Value>(at + 2);
      }
    }
    evenfold::write_matrix_market(path, made.view());
    bytes = static_cast<double>(file_text(path).text().size());
  }
  reading(const reading&) = delete;
  reading& operator=(const reading&) = delete;
  ~reading() { std::filesystem::remove(path); }

  /// Trusts the file to have one entry per line and one blank between two words.
  coo<Value> plainly_read() {
    const file_text file(path);
    const std::string_view text = file.text();
    const char* const end = text.data() + text.size();
    const char* const sizes = text.data() + text.find('\n') + 1;
    const char* const begin = std::find(sizes, end, '\n') + 1;
    const int threads = ctx.threads();
    std::vector<const char*> cuts(static_cast<std::size_t>(threads) + 1, end);
    cuts[0] = begin;
    for (int t = 1; t < threads; ++t) {
      cuts[t] =
          std::find(std::max(cuts[t - 1], begin + (end - begin) / threads * t), end, '\n') + 1;
    }
    std::vector<std::int64_t> lines(cuts.size());
#pragma omp parallel for num_threads(threads)
    for (int t = 0; t < threads; ++t) lines[t + 1] = std::count(cuts[t], cuts[t + 1], '\n');
    for (int t = 0; t < threads; ++t) lines[t + 1] += lines[t];

    coo<Value> result(ctx, 1000000, 1000000, static_cast<std::int32_t>(lines[threads]));
#pragma omp parallel for num_threads(threads)
    for (int t = 0; t < threads; ++t) {
      std::int64_t k = lines[t];
      for (const char* at = cuts[t]; at < cuts[t + 1]; ++at, ++k) {
        at = std::from_chars(at, end, result.rows[k]).ptr + 1;
        at = std::from_chars(at, end, result.columns[k]).ptr;
        if constexpr (!is_pattern<Value>) at = std::from_chars(at + 1, end, result.values[k]).ptr;
        --result.rows[k];
        --result.columns[k];
      }
    }
    return result;
  }
};

template <class Value>
prepared_case reads(const options& chosen) {
  const auto d = std::make_shared<reading<Value>>(chosen.size(23), chosen.threads);
  const auto ours = [=] { d->ours = evenfold::read_matrix_market<Value>(d->ctx, d->path); };
  const auto plain = [=] { d->theirs = d->plainly_read(); };
  const auto same = [](const auto& a, const auto& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  };
  return {
      .bytes = d->bytes,
      .contestants = {{"evenfold read_matrix_market", ours}, {"std::from_chars, unchecked", plain}},
      .check = [=]() -> std::string {
        ours();
        plain();
        return same(d->ours.rows, d->theirs.rows) && same(d->ours.columns, d->theirs.columns) &&
                       same(d->ours.values, d->theirs.values)
                   ? ""
                   : "the entries differ";
      },
      .marks = {at_least_best_peer(1.0), at_least_published(1.0, 1.0, "the mark")}};
}

const add_case cases[] = {
    {"read_matrix_market_pattern", reads<evenfold::pattern>},
    {"read_matrix_market_integer", reads<std::int32_t>},
    {"read_matrix_market_real", reads<double>},
};

}  // namespace
}  // namespace bench
