#include "runtime/host/row_parts.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/shares.hpp"
#include "runtime/engine.hpp"
#include "runtime/processes.hpp"

namespace evenfold::runtime {

namespace {

process_group& processes_of(engine& engine) {
  if (engine.processes() == nullptr) {
    detail::refuse_argument(
        "make_rows", "a", "entries of one of several processes",
        "the engine '" + engine.name() + "' has not joined any",
        "join them first (in Python by distributed.processes), or pass all entries");
  }
  return *engine.processes();
}

/// The same elements where the host can reach them.
array on_host(engine& engine, const array& values) {
  if (values.side() != memory_side::device) return values.share();
  const auto bytes = std::make_shared<std::vector<std::byte>>(values.bytes());
  engine.download(values, bytes->data());
  return array::borrowed(values.type(), bytes->data(), values.size(), memory_side::host, bytes);
}

/// An array that keeps its elements.
template <class T>
array keeping(std::vector<T> elements) {
  const auto keeper = std::make_shared<std::vector<T>>(std::move(elements));
  return array::borrowed(std::span<const T>(*keeper), keeper);
}

/// The elements from `begin` on: the same memory.
array from_element(const array& values, std::size_t begin) {
  const auto keeper = std::make_shared<array>(values.share());
  const auto* const first = static_cast<const std::byte*>(keeper->address());
  return array::borrowed(values.type(),
                         static_cast<const void*>(first + begin * size_of(values.type())),
                         values.size() - begin, values.side(), keeper);
}

template <class T>
std::vector<std::size_t> bytes_of(const std::vector<T>& offsets, std::size_t element) {
  std::vector<std::size_t> bytes;
  bytes.reserve(offsets.size());
  for (const T offset : offsets) bytes.push_back(static_cast<std::size_t>(offset) * element);
  return bytes;
}

/// begins[p] is the first row of process p. Of each process also the length of its longest row.
struct row_cut {
  std::vector<std::int64_t> begins, longest;

  std::size_t process_of(std::int64_t row) const {
    return static_cast<std::size_t>(std::upper_bound(begins.begin() + 1, begins.end() - 1, row) -
                                    (begins.begin() + 1));
  }
};

/// The lengths of an equal share of the rows, given the rows of the entries of each process.
std::vector<std::int64_t> lengths_of_share(process_group& all, std::span<const std::int32_t> rows,
                                           std::int64_t num_rows) {
  const int processes = all.size();
  std::vector<std::int64_t> own(static_cast<std::size_t>(num_rows)), sends, receives;
  for (const std::int32_t row : rows) ++own[static_cast<std::size_t>(row)];
  for (int p = 0; p <= processes; ++p) sends.push_back(detail::share_begin(num_rows, processes, p));
  const auto rank = static_cast<std::size_t>(all.rank());
  const std::int64_t share = sends[rank + 1] - sends[rank];
  for (int p = 0; p <= processes; ++p) receives.push_back(p * share);
  std::vector<std::int64_t> received(static_cast<std::size_t>(receives.back()));
  reference_context memory;
  all.all_to_all_v(
      memory, reinterpret_cast<const std::byte*>(own.data()), bytes_of(sends, sizeof(std::int64_t)),
      reinterpret_cast<std::byte*>(received.data()), bytes_of(receives, sizeof(std::int64_t)));
  const auto step = static_cast<std::size_t>(share);
  for (std::size_t k = step; k < received.size(); ++k) received[k % step] += received[k];
  received.resize(step);
  return received;
}

row_cut cut_rows(process_group& all, std::span<const std::int32_t> rows, std::int64_t num_rows) {
  const std::vector<std::int64_t> lengths = lengths_of_share(all, rows, num_rows);
  const auto processes = static_cast<std::size_t>(all.size());
  const std::int64_t first = detail::share_begin(num_rows, all.size(), all.rank());
  const auto sums = gather(all, std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}));
  std::int64_t before = std::accumulate(sums.begin(), sums.begin() + all.rank(), std::int64_t{0});
  const std::int64_t steps = std::accumulate(sums.begin(), sums.end(), std::int64_t{0}) + num_rows;

  // A cut is before the first row with so many entries and rows before it.
  std::vector<std::int64_t> below(processes + 1, static_cast<std::int64_t>(lengths.size()));
  std::size_t cut = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const std::int64_t step = before + first + static_cast<std::int64_t>(i);
    for (;
         cut <= processes && detail::share_begin(steps, all.size(), static_cast<int>(cut)) <= step;
         ++cut) {
      below[cut] = static_cast<std::int64_t>(i);
    }
    before += lengths[i];
  }
  row_cut result{std::vector<std::int64_t>(processes + 1), std::vector<std::int64_t>(processes)};
  const auto all_below = gather(all, std::span<const std::int64_t>(below));
  for (std::size_t k = 0; k < all_below.size(); ++k) {
    result.begins[k % (processes + 1)] += all_below[k];
  }
  std::vector<std::int64_t> longest(processes);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    std::int64_t& most = longest[result.process_of(first + static_cast<std::int64_t>(i))];
    most = std::max(most, lengths[i]);
  }
  const auto all_longest = gather(all, std::span<const std::int64_t>(longest));
  for (std::size_t k = 0; k < all_longest.size(); ++k) {
    std::int64_t& most = result.longest[k % processes];
    most = std::max(most, all_longest[k]);
  }
  return result;
}

/// Sends elements of entries to the processes that have the rows of the entries.
class entry_exchange {
 public:
  entry_exchange(process_group& all, const row_cut& cut, std::span<const std::int32_t> rows)
      : all_(all), cut_(cut), rows_(rows) {
    const auto processes = static_cast<std::size_t>(all.size());
    const auto rank = static_cast<std::size_t>(all.rank());
    std::vector<std::int64_t> counts(processes);
    for (const std::int32_t row : rows) ++counts[cut.process_of(row)];
    sends_.assign(processes + 1, 0);
    std::inclusive_scan(counts.begin(), counts.end(), sends_.begin() + 1);
    const auto all_counts = gather(all, std::span<const std::int64_t>(counts));
    receives_.assign(processes + 1, 0);
    for (std::size_t from = 0; from < processes; ++from) {
      const std::int64_t* const of = all_counts.data() + from * processes;
      receives_[from + 1] = receives_[from] + of[rank];
      before_ += std::accumulate(of, of + rank, std::int64_t{0});
    }
  }

  /// The number of entries that this process receives, and of those that the processes before it
  /// receive.
  std::int64_t count() const { return receives_.back(); }
  std::int64_t before() const { return before_; }

  /// The elements of the entries that this process receives, after some zeros.
  template <class T>
  std::vector<T> operator()(std::span<const T> values, std::int64_t zeros) const {
    std::vector<T> sent(values.size());
    std::vector<std::int64_t> next = sends_;
    for (std::size_t k = 0; k < values.size(); ++k) {
      sent[static_cast<std::size_t>(next[cut_.process_of(rows_[k])]++)] = values[k];
    }
    std::vector<T> received(static_cast<std::size_t>(zeros + count()));
    reference_context memory;
    all_.all_to_all_v(
        memory, reinterpret_cast<const std::byte*>(sent.data()), bytes_of(sends_, sizeof(T)),
        reinterpret_cast<std::byte*>(received.data() + zeros), bytes_of(receives_, sizeof(T)));
    return received;
  }

 private:
  process_group& all_;
  const row_cut& cut_;
  std::span<const std::int32_t> rows_;
  std::vector<std::int64_t> sends_, receives_;
  std::int64_t before_ = 0;
};

/// The rows of the entries of a process, the first of which is row `first` of the matrix. If a
/// process has refused its entries, all refuse the first ones.
sparse_rows to_rows_of_all(engine& engine, process_group& all, const sparse_entries& own,
                           duplicates how, std::int64_t first) {
  struct position {
    std::int64_t row = -1, column = -1;
  } refused;
  std::optional<sparse_rows> rows;
  try {
    rows = engine.sparse().to_rows(local(engine, own), how);
  } catch (const duplicate_entry_error& error) {
    refused = {first + error.row(), error.column()};
  }
  if (how == duplicates::refuse) {
    for (const position& of : gather(all, refused)) {
      if (of.row >= 0) throw duplicate_entry_error("to_csr", of.row, of.column);
    }
  }
  return std::move(*rows);
}

/// The rows without the first one, which has one entry.
sparse_rows without_first(engine& engine, const sparse_rows& a) {
  std::vector<std::int64_t> offsets(a.row_offsets.size());
  engine.download(a.row_offsets, offsets.data());
  offsets.erase(offsets.begin());
  for (std::int64_t& offset : offsets) --offset;
  return {a.num_rows - 1,
          a.num_columns,
          engine.local(keeping(std::move(offsets))),
          from_element(a.columns, 1),
          from_element(a.values, 1),
          a.has_values};
}

}  // namespace

sparse_rows rows_of_part(engine& engine, const sparse_entries& a, duplicates how) {
  process_group& all = processes_of(engine);
  const array rows = on_host(engine, a.rows);
  const auto row_of = rows.host<std::int32_t>();
  const row_cut cut = cut_rows(all, row_of, a.num_rows);
  const entry_exchange send(all, cut, row_of);
  const auto rank = static_cast<std::size_t>(all.rank());
  const std::int64_t first = cut.begins[rank];

  // The brackets of a sum of duplicates depend on where they are among all entries. Zeros in a row
  // before the first one shift the entries of this process to their global positions within blocks.
  std::int64_t zeros = 0;
  if (how == duplicates::sum && a.has_values) {
    const auto block = std::bit_floor(
        std::max(std::uint64_t{detail::fold_group}, static_cast<std::uint64_t>(cut.longest[rank])));
    zeros = send.before() % static_cast<std::int64_t>(block);
  }
  const std::int64_t rows_before = zeros > 0 ? 1 : 0;
  sparse_entries own{static_cast<std::int32_t>(cut.begins[rank + 1] - first + rows_before),
                     a.num_columns,
                     {},
                     {},
                     {},
                     a.has_values};
  if (a.has_values) own.values = keeping(send(on_host(engine, a.values).host<double>(), zeros));
  own.columns = keeping(send(on_host(engine, a.columns).host<std::int32_t>(), zeros));
  std::vector<std::int32_t> own_rows = send(row_of, zeros);
  for (auto k = static_cast<std::size_t>(zeros); k < own_rows.size(); ++k) {
    own_rows[k] -= static_cast<std::int32_t>(first - rows_before);
  }
  own.rows = keeping(std::move(own_rows));

  sparse_rows result = to_rows_of_all(engine, all, own, how, first);
  if (zeros > 0) result = without_first(engine, result);
  const auto counts = gather(all, static_cast<std::int64_t>(result.columns.size()));
  result.part = rows_of_process{
      first, std::accumulate(counts.begin(), counts.begin() + all.rank(), std::int64_t{0}),
      std::accumulate(counts.begin(), counts.end(), std::int64_t{0})};
  result.num_rows = a.num_rows;
  return result;
}

sparse_rows transposed_part(engine& engine, const sparse_rows& a) {
  sparse_rows here = share(a);
  here.part.reset();
  here.num_rows = static_cast<std::int32_t>(a.row_offsets.size()) - 1;
  const sparse_entries entries = engine.sparse().to_entries(here);
  const array numbers = on_host(engine, entries.rows);
  const auto own = numbers.host<std::int32_t>();
  std::vector<std::int32_t> rows(own.begin(), own.end());
  for (std::int32_t& row : rows) row += static_cast<std::int32_t>(a.part->first_row);
  return rows_of_part(engine,
                      {a.num_columns, a.num_rows, entries.columns.share(), keeping(std::move(rows)),
                       entries.values.share(), a.has_values, a.num_nonzeros()},
                      duplicates::keep);
}

sparse_entries entries_of_process(engine& engine, sparse_entries own) {
  const auto counts = gather(processes_of(engine), static_cast<std::int64_t>(own.columns.size()));
  own.of_all = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  return own;
}

}  // namespace evenfold::runtime
