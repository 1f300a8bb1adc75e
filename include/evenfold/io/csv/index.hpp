#pragma once
// Finds the records and fields of a table of comma-separated values in parallel.
//
// Idea: a newline ends a record if the number of quotes before it is even, and this parity can be
// computed from chunks. Pass one counts, for each chunk of the text, its quotes, and its newlines
// for either parity. A scan over the chunks then gives the parity at the beginning of each chunk
// and the number of its first record. Pass two walks, for each chunk, the records that begin in it,
// checks them, and writes the ends of their fields. A fault may cause more faults in later chunks,
// but not in earlier ones; so the fault in the first chunk that has one is the first of the file.
//
// Limits: a record is shorter than 4 GiB.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/host_memory.hpp"
#include "evenfold/io/csv/records.hpp"
#include "evenfold/io/text/byte_mask.hpp"
#include "evenfold/io/text/line_chunks.hpp"

namespace evenfold::detail {

/// The positions of all fields of a text. Records and columns are numbered from 0; the header is
/// record 0. Move-only.
class csv_index {
 public:
  /// Work O(bytes) in two passes, span O(bytes / workers + chunks). Memory: 8 bytes per record and
  /// 4 per field. Errors: those of csv_source; input_error, with the line, for the first record
  /// that breaks the rules or has more or fewer fields than record 0.
  template <context Context>
  csv_index(Context& ctx, csv_source source, const csv_options& options)
      : source_(std::move(source)) {
    static_assert(Context::side == memory_side::host, "files are read on the host");
    source_.walk_record(0, [&](std::size_t) { ++num_columns_; });
    if (num_columns_ > 1) source_.drop_empty_lines_at_end();
    const std::string_view text = source_.text();

    // Pass one, and the scan over its results.
    const std::vector<std::string_view> chunks = cut_at_line_ends(text, options.chunk_bytes);
    std::vector<chunk_count> counts(chunks.size());
    transform(ctx, chunks.size(),
              [&](std::size_t chunk) { counts[chunk] = count_chunk(chunks[chunk]); });
    std::size_t records = 0;
    bool inside = false;
    for (chunk_count& count : counts) {
      count.first_record = records;
      records += count.records[inside];
      count.parity ^= inside;
      std::swap(count.parity, inside);
    }
    // The last record may end with the text instead of a newline.
    if (inside || text.back() != '\n') ++records;

    num_records_ = records;
    record_begins_ = std::make_unique_for_overwrite<std::size_t[]>(records);
    field_ends_ = std::make_unique_for_overwrite<std::uint32_t[]>(records * num_columns_);
    prefer_huge_pages(record_begins_.get(), records * sizeof record_begins_[0]);
    prefer_huge_pages(field_ends_.get(), records * num_columns_ * sizeof field_ends_[0]);

    // Pass two: the records that begin in each chunk.
    transform(ctx, chunks.size(), [&](std::size_t chunk) {
      auto at = static_cast<std::size_t>(chunks[chunk].data() - text.data());
      const std::size_t end = at + chunks[chunk].size();
      std::size_t record = counts[chunk].first_record;
      if (counts[chunk].parity) {
        // The end of a record that began in an earlier chunk.
        for (bool quotes = true; at < end && (quotes || text[at - 1] != '\n'); ++at) {
          quotes ^= text[at] == '"';
        }
        ++record;
      }
      if (counts[chunk].plain && !counts[chunk].parity) at = index_plain_records(record, at, end);
      while (at < end) index_record(record++, at, at);
    });
  }

  const csv_source& source() const { return source_; }
  std::size_t num_records() const { return num_records_; }
  std::size_t num_columns() const { return num_columns_; }

  /// The bytes of a field in the text, its quotes included.
  std::string_view field(std::size_t record, std::size_t column) const {
    const std::size_t at = record * num_columns_ + column;
    const std::size_t begin = column == 0 ? 0 : field_ends_[at - 1] + std::size_t{1};
    return source_.text().substr(record_begins_[record] + begin, field_ends_[at] - begin);
  }

 private:
  /// The result of pass one for a chunk.
  struct chunk_count {
    /// The newlines that end a record if the chunk begins outside of quotes, and inside of quotes.
    std::size_t records[2] = {0, 0};
    /// Whether the number of quotes is odd; after the scan, whether the chunk begins inside of
    /// quotes.
    bool parity = false;
    /// After the scan: the record that the first byte of the chunk belongs to.
    std::size_t first_record = 0;
    /// Whether there are no quotes.
    bool plain = false;
  };

  static chunk_count count_chunk(std::string_view chunk) {
    chunk_count result;
    if (chunk.find('"') == std::string_view::npos) {
      result.records[0] = static_cast<std::size_t>(std::count(chunk.begin(), chunk.end(), '\n'));
      result.plain = true;
      return result;
    }
    bool parity = false;
    for (const char c : chunk) {
      parity ^= c == '"';
      result.records[parity] += c == '\n';
    }
    result.parity = parity;
    return result;
  }

  /// Indexes the records from `record` on that end in whole blocks of 64 bytes of [begin, end), a
  /// part of the text without quotes. Returns where the first record begins that is not indexed.
  std::size_t index_plain_records(std::size_t& record, std::size_t begin, std::size_t end) {
    const char* const text = source_.text().data();
    const std::size_t width = num_columns_;
    std::size_t fields = 0;
    for (std::size_t block = begin; block + 64 <= end; block += 64) {
      const std::uint64_t newlines = byte_mask(text + block, '\n');
      for (std::uint64_t ends = newlines | byte_mask(text + block, source_.delimiter()); ends != 0;
           ends &= ends - 1) {
        const std::size_t at = block + static_cast<std::size_t>(std::countr_zero(ends));
        const bool ends_record = (newlines & ends & (0 - ends)) != 0;
        std::size_t end_of_field = at;
        if (ends_record && at > begin && text[at - 1] == '\r') --end_of_field;
        if (fields < width) {
          field_ends_[record * width + fields] = static_cast<std::uint32_t>(end_of_field - begin);
        }
        ++fields;
        if (!ends_record) continue;
        finish_record(record++, begin, at + 1, fields);
        begin = at + 1;
        fields = 0;
      }
    }
    return begin;
  }

  void index_record(std::size_t record, std::size_t begin, std::size_t& next) {
    std::uint32_t* ends = field_ends_.get() + record * num_columns_;
    const std::size_t width = num_columns_;
    std::size_t fields = 0;
    next = source_.walk_record(begin, [&](std::size_t end) {
      if (fields < width) ends[fields] = static_cast<std::uint32_t>(end - begin);
      ++fields;
    });
    finish_record(record, begin, next, fields);
  }

  void finish_record(std::size_t record, std::size_t begin, std::size_t next, std::size_t fields) {
    if (fields != num_columns_) fail_ragged(begin, next, fields);
    if (next - begin > std::numeric_limits<std::uint32_t>::max()) {
      source_.fail_at(begin, "the record has " + std::to_string(next - begin) +
                                 " bytes, expected less than 4 GiB (is a quote missing?)");
    }
    record_begins_[record] = begin;
  }

  [[noreturn]] void fail_ragged(std::size_t begin, std::size_t end, std::size_t fields) const {
    const std::string width = std::to_string(num_columns_);
    const std::string_view record = source_.text().substr(begin, end - begin);
    if (record == "\n" || record == "\r\n") {
      source_.fail_at(begin, "the line is empty, expected a record of " + width + " fields");
    }
    source_.fail_at(begin, "the record has " + std::to_string(fields) +
                               (fields == 1 ? " field" : " fields") + ", expected " + width +
                               " as in the first" + other_delimiter());
  }

  /// A question, if the first record looks as if it had another delimiter.
  std::string other_delimiter() const {
    if (num_columns_ != 1) return {};
    return source_.other_delimiter(source_.text().substr(0, source_.text().find('\n')));
  }

  csv_source source_;
  std::size_t num_columns_ = 0;
  std::size_t num_records_ = 0;
  std::unique_ptr<std::size_t[]> record_begins_;
  std::unique_ptr<std::uint32_t[]> field_ends_;
};

}  // namespace evenfold::detail
