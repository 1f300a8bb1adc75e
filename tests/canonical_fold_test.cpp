// Folds have the same bits on every backend: hashes of results, compared with those that the
// reference backend once gave, tests/golden/fold_hashes.txt. Any other order of operations shows,
// because the values have a wide range of exponents and most operators do not commute.
//
// EVENFOLD_WRITE_GOLDEN=1 in the environment makes the test of the reference write the file anew.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "evenfold/algorithm/dot.hpp"
#include "evenfold/algorithm/histogram.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/reduce_by_key.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/graph/generators.hpp"
#include "evenfold/graph/make_graph.hpp"
#include "evenfold/graph/pagerank.hpp"
#include "evenfold/matrix/aggregate.hpp"
#include "evenfold/sparse/convert.hpp"
#include "evenfold/sparse/spmv.hpp"
#include "support/contexts.hpp"
#include "support/fold_numbers.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

using hashes = std::map<std::string, std::uint64_t>;

/// Around the borders of runs, blocks and shares.
constexpr std::int64_t counts[] = {0,  1,   2,   9,   15,   16,   17,   31,   32,    33,    63,
                                   65, 511, 512, 513, 1000, 4095, 4096, 4097, 16385, 32768, 70001};

template <class T, class Context, class Op>
void hash_sequences(Context& ctx, const std::string& name, Op op, T init, hashes& results) {
  const std::vector<T> host = scaled_numbers<T>(counts[std::size(counts) - 1] + 3);
  const array<T> input = to_context(ctx, host);
  bit_hash reduced, inclusive, exclusive, without_init;
  for (const std::int64_t count : counts) {
    array<T> out(ctx, count);
    array<T> total(ctx, 1);
    // Not aligned to anything but T.
    for (const int shift : {0, 1, 3}) {
      reduced.add(reduce(ctx, input.data() + shift, count, op, init));
    }
    inclusive_scan(ctx, input.data() + 1, count, out.data(), op, init, total.data());
    inclusive.add(to_host(ctx, out));
    inclusive.add(to_host(ctx, total));
    exclusive_scan(ctx, input.data() + 1, static_cast<int>(count), out.data(), op, init,
                   total.data());
    exclusive.add(to_host(ctx, out));
    exclusive.add(to_host(ctx, total));
    inclusive_scan(ctx, input.data(), count, out.data(), op);
    without_init.add(to_host(ctx, out));
  }
  results["reduce " + name] = reduced.value();
  results["inclusive_scan " + name] = inclusive.value();
  results["inclusive_scan_without_init " + name] = without_init.value();
  results["exclusive_scan " + name] = exclusive.value();
}

template <class T, class Offset, class Context, class Op>
void hash_segments(Context& ctx, const std::string& name, Op op, T init, hashes& results) {
  for (const shape kind : shapes) {
    bit_hash folds, ranks, keys;
    for (const std::int64_t size : {1, 20, 600, 5000, 50000}) {
      const auto data = make_segments<Offset>(kind, size);
      const auto count = static_cast<Offset>(data.count);
      const auto num_segments = static_cast<Offset>(data.num_segments());
      const array<T> input = to_context(ctx, scaled_numbers<T>(data.count + 1));
      const array<Offset> offsets = to_context(ctx, data.offsets);
      const T* const from = input.data() + 1;
      array<T> out(ctx, num_segments);
      segreduce(ctx, from, count, offsets.data(), num_segments, out.data(), op, init);
      folds.add(to_host(ctx, out));
      lbs_segreduce(
          ctx, count, EF_LAMBDA(Offset i, Offset, Offset rank) { return from[i - rank / 3]; },
          offsets.data(), num_segments, out.data(), op, init);
      ranks.add(to_host(ctx, out));
      std::vector<Offset> key(static_cast<std::size_t>(count));
      for (std::int64_t s = 0; s < data.num_segments(); ++s) {
        for (std::int64_t i = data.begin(s); i < data.end(s); ++i) {
          key[static_cast<std::size_t>(i)] = static_cast<Offset>(s);
        }
      }
      const array<Offset> device_keys = to_context(ctx, key);
      array<Offset> keys_out(ctx, count);
      array<T> by_key(ctx, count);
      array<Offset> runs(ctx, 1);
      reduce_by_key(ctx, device_keys.data(), from, count, equal_to{}, keys_out.data(),
                    by_key.data(), op, init, runs.data());
      std::vector<T> got = to_host(ctx, by_key);
      got.erase(got.begin() + to_host(ctx, runs)[0], got.end());
      keys.add(got);
    }
    const std::string of = name + " " + ::testing::PrintToString(kind);
    results["segreduce " + of] = folds.value();
    results["lbs_segreduce " + of] = ranks.value();
    results["reduce_by_key " + of] = keys.value();
  }
}

template <class T, class Context>
void hash_products(Context& ctx, const std::string& name, hashes& results) {
  bit_hash dots;
  const array<T> x = to_context(ctx, scaled_numbers<T>(70001, 21));
  const array<T> y = to_context(ctx, scaled_numbers<T>(70001, 22));
  for (const std::int64_t count : counts) {
    dots.add(dot(ctx, x.data(), y.data(), count, T{0.1f}));
  }
  results["dot " + name] = dots.value();
  for (const shape kind : shapes) {
    const auto data = make_segments<int>(kind, 60000);
    const int rows = static_cast<int>(data.num_segments());
    const int entries = static_cast<int>(data.count);
    const random_stream random(23);
    std::vector<int> column;
    for (int i = 0; i < entries; ++i) {
      column.push_back(static_cast<int>(random.below(static_cast<std::uint64_t>(i), 70001)));
    }
    std::vector<int> offset = data.offsets;
    offset.push_back(entries);
    const array<int> offsets = to_context(ctx, offset);
    const array<int> columns = to_context(ctx, column);
    array<T> out = to_context(ctx, scaled_numbers<T>(rows, 24));
    const csr_view<const T> matrix{rows, 70001, entries, offsets.data(), columns.data(), y.data()};
    bit_hash products;
    spmv(ctx, matrix, x.data(), out.data(), T{0.75f}, T{0.25f});
    products.add(to_host(ctx, out));
    results["spmv " + name + " " + ::testing::PrintToString(kind)] = products.value();
  }
}

template <class T, class Context>
void hash_histograms(Context& ctx, const std::string& name, hashes& results) {
  const array<T> weights = to_context(ctx, scaled_numbers<T>(70001, 31));
  const random_stream random(32);
  std::vector<std::uint32_t> drawn;
  for (std::uint64_t i = 0; i < 70001; ++i) drawn.push_back(random.bits32(i));
  const array<std::uint32_t> draws = to_context(ctx, drawn);
  const std::uint32_t* const draw = draws.data();
  const T* const weight = weights.data();
  bit_hash sums;
  for (const int bins : {1, 10, 1000, 3000}) {
    for (const std::int64_t count : counts) {
      array<T> out(ctx, bins);
      histogram(
          ctx, count, bins, EF_LAMBDA(std::int64_t i) { return draw[i] % (bins + bins / 8); },
          EF_LAMBDA(std::int64_t i) { return weight[i]; }, out.data());
      sums.add(to_host(ctx, out));
    }
  }
  results["histogram " + name] = sums.value();
}

/// Whole matrices, rows and columns, with and without gaps, in both layouts.
template <class T, class Context, class Op>
void hash_matrices(Context& ctx, const std::string& name, Op op, T init, hashes& results) {
  const array<T> values = to_context(ctx, scaled_numbers<T>(80000, 41));
  bit_hash wholes, rows, columns;
  for (const auto& [m, n] : {std::pair{1, 70000},
                             {70000, 1},
                             {3, 20001},
                             {20001, 3},
                             {300, 250},
                             {64, 1000},
                             {513, 130},
                             {7, 9},
                             {0, 5},
                             {5, 0}}) {
    for (const int gap : {0, 5}) {
      if ((m + gap) * (n + gap) > 80000) continue;
      const matrix_view<const T> by_rows(values.data(), m, n, n + gap, 1);
      const matrix_view<const T> by_columns(values.data(), m, n, 1, m + gap);
      for (const auto& a : {by_rows, by_columns}) {
        array<T> out(ctx, std::max(m, n));
        wholes.add(aggregate(ctx, a, op, init));
        aggregate_rows(ctx, a, out.data(), op, init);
        const std::vector<T> of_rows = to_host(ctx, out);
        for (int i = 0; i < m; ++i) rows.add(of_rows[i]);
        aggregate_columns(ctx, a, out.data(), op, init);
        const std::vector<T> of_columns = to_host(ctx, out);
        for (int j = 0; j < n; ++j) columns.add(of_columns[j]);
      }
    }
  }
  results["aggregate " + name] = wholes.value();
  results["aggregate_rows " + name] = rows.value();
  results["aggregate_columns " + name] = columns.value();
}

template <class T, class Sum, class Context>
void hash_pagerank(Context& ctx, const std::string& name, hashes& results) {
  const int vertices = 5000;
  coo<pattern> edges(ctx, vertices, vertices, 40000);
  int* const from = edges.rows.data();
  int* const to = edges.columns.data();
  const auto draw = kronecker_edges(12, 51);
  transform(
      ctx, 40000, EF_LAMBDA(int i) {
        const edge e = draw(static_cast<std::uint64_t>(i));
        from[i] = static_cast<int>(e.from);
        to[i] = static_cast<int>(e.to);
      });
  const auto graph = directed_graph(ctx, to_csr(ctx, edges.view()));
  bit_hash ranks;
  for (const auto change : {pagerank_change::l1, pagerank_change::maximum}) {
    pagerank_options<T> options;
    options.max_iterations = 20;
    options.stop = change;
    const auto result = pagerank<T, Sum>(ctx, graph.view(), options);
    ranks.add(to_host(ctx, result.ranks));
    ranks.add(result.residual);
  }
  results["pagerank " + name] = ranks.value();
}

template <class Context>
hashes hash_folds(Context& ctx) {
  hashes results;
  const rounded_matrix turn{1, 0.25f, -0.5f, 1};
  hash_sequences<float>(ctx, "float", plus{}, 0.1f, results);
  hash_sequences<double>(ctx, "double", plus{}, 0.1, results);
  hash_sequences<rounded_matrix>(ctx, "rotation", rounded_product{}, turn, results);
  hash_sequences<mixed_sums>(ctx, "sums", add_three_sums{}, mixed_sums{0.1f, 0.1, 0}, results);
  hash_segments<float, int>(ctx, "float", plus{}, 0.1f, results);
  hash_segments<double, std::int64_t>(ctx, "double", plus{}, 0.1, results);
  hash_segments<rounded_matrix, int>(ctx, "rotation", rounded_product{}, turn, results);
  hash_products<float>(ctx, "float", results);
  hash_products<double>(ctx, "double", results);
  hash_histograms<float>(ctx, "float", results);
  hash_histograms<double>(ctx, "double", results);
  hash_matrices<float>(ctx, "float", plus{}, 0.1f, results);
  hash_matrices<rounded_matrix>(ctx, "rotation", rounded_product{}, turn, results);
  hash_pagerank<float, float>(ctx, "float", results);
  hash_pagerank<float, double>(ctx, "float double", results);
  hash_pagerank<double, double>(ctx, "double", results);
  return results;
}

const std::string golden_path = EVENFOLD_SOURCE_DIR "/tests/golden/fold_hashes.txt";

hashes golden_hashes() {
  hashes result;
  std::ifstream file(golden_path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t space = line.rfind(' ');
    result[line.substr(0, space)] = std::stoull(line.substr(space + 1), nullptr, 16);
  }
  return result;
}

void expect_golden(const hashes& results) {
  const hashes golden = golden_hashes();
  EXPECT_EQ(results.size(), golden.size());
  for (const auto& [name, value] : results) {
    const auto found = golden.find(name);
    ASSERT_NE(found, golden.end()) << name;
    EXPECT_EQ(value, found->second) << name;
  }
}

TEST(canonical_fold, of_the_reference_has_the_golden_bits) {
  reference_context ctx;
  const hashes results = hash_folds(ctx);
  if (std::getenv("EVENFOLD_WRITE_GOLDEN") != nullptr) {
    std::ofstream file(golden_path);
    for (const auto& [name, value] : results) file << name << ' ' << std::hex << value << '\n';
  }
  expect_golden(results);
}

#if defined(__CUDACC__)

TEST(canonical_fold_of_cuda, has_the_golden_bits) {
  cuda_context ctx;
  expect_golden(hash_folds(ctx));
}

#else

class canonical_fold_of_threads : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(any, canonical_fold_of_threads,
                         ::testing::ValuesIn(is_sanitized ? std::vector{2, 7}
                                                          : std::vector{1, 2, 3, 7, 16}));

TEST_P(canonical_fold_of_threads, has_the_golden_bits) {
  cpu_context ctx(GetParam());
  expect_golden(hash_folds(ctx));
}

#endif

}  // namespace
}  // namespace evenfold::testing
