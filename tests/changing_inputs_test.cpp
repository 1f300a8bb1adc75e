// backends: host
// While a file is read, another thread overwrites it in place with entries of other lengths,
// truncates it and extends it. Every reader returns a result or throws an input_error, and reads
// the file correctly after the changes end.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "evenfold/io/csv/table.hpp"
#include "evenfold/io/edge_list/reader.hpp"
#include "evenfold/io/matrix_market/array_reader.hpp"
#include "evenfold/io/matrix_market/reader.hpp"
#include "evenfold/io/npy/npz_reader.hpp"
#include "evenfold/io/npy/npz_writer.hpp"
#include "evenfold/io/npy/reader.hpp"
#include "tests/support/contexts.hpp"
#include "tests/support/scratch.hpp"

namespace evenfold::testing {
namespace {

/// Writes one content after another to the same file until it is destroyed. Then it leaves the
/// first content there.
class restless_writer {
 public:
  restless_writer(const std::string& path, const std::vector<std::string>& contents)
      : file_(open(path.c_str(), O_WRONLY | O_CREAT, 0600)), contents_(contents) {
    put(contents_[0]);
    thread_ = std::jthread([this](const std::stop_token& stop) {
      for (std::size_t i = 0; !stop.stop_requested(); ++i) put(contents_[i % contents_.size()]);
      put(contents_[0]);
    });
  }
  ~restless_writer() {
    thread_ = {};
    close(file_);
  }

 private:
  void put(std::string_view content) {
    const auto size = static_cast<off_t>(content.size());
    if (pwrite(file_, content.data(), content.size(), 0) != size || ftruncate(file_, size) != 0) {
      ADD_FAILURE() << "the file cannot be written";
    }
  }

  int file_;
  const std::vector<std::string>& contents_;
  std::jthread thread_;
};

/// Calls read(ctx, path) again and again while the contents of the file change. `short_entries` and
/// `long_entries` have the same length.
template <class Read>
void expect_no_harm(const std::string& short_entries, const std::string& long_entries, Read read) {
  ASSERT_EQ(short_entries.size(), long_entries.size());
  const scratch_directory scratch;
  const std::string path = scratch / "input";
  cpu_context ctx(2);
  const std::vector<std::string> contents = {
      long_entries, short_entries, long_entries.substr(0, long_entries.size() / 3),
      short_entries + short_entries.substr(short_entries.size() / 2)};
  {
    const restless_writer writer(path, contents);
    for (int attempt = 0; attempt < 60; ++attempt) {
      try {
        read(ctx, path);
      } catch (const input_error& fault) {
        ASSERT_TRUE(std::string_view(fault.what()).starts_with(path)) << fault.what();
      }
    }
  }
  EXPECT_EQ(read_back(path), long_entries);
  EXPECT_NO_THROW(read(ctx, path));
}

/// A text of `bytes` bytes: the header, then the line as often as it fits, then blanks.
std::string lines(const std::string& header, const std::string& line, std::size_t bytes) {
  std::string text = header;
  while (text.size() + 2 * line.size() <= bytes) text += line;
  text += line.substr(0, line.size() - 1);
  text.resize(bytes - 1, ' ');
  return text + "\n";
}

constexpr std::size_t bytes = 30000;

/// The same, with the number of lines in the header.
std::string counted(const std::string& banner, const std::string& rest, const std::string& line) {
  std::string text, count = "00000";
  do {
    text = lines(banner + count + rest, line, bytes);
    const std::size_t all = std::count(text.begin(), text.end(), '\n');
    const std::size_t others = std::count(banner.begin(), banner.end(), '\n') + 1;
    count = std::to_string(100000 + all - others).substr(1);
  } while (text.find(banner + count) != 0);
  return text;
}

TEST(changing_inputs, csv) {
  expect_no_harm(lines("a,b\n", "1,\n", bytes), lines("a,b\n", "\"a\nb\",123456\n", bytes),
                 [](auto& ctx, const std::string& path) {
                   const auto table = csv_table::read_file(ctx, path);
                   for (std::size_t c = 0; c < table.num_columns(); ++c) table.texts(ctx, c);
                 });
}

TEST(changing_inputs, edge_list) {
  const auto read = [](auto& ctx, const std::string& path) { read_edge_list<double>(ctx, path); };
  expect_no_harm(lines("", "1 2\n", bytes), lines("", "123456 234567\n", bytes), read);
  expect_no_harm(lines("", "a b 1\n", bytes), lines("", "alice bob 1\n", bytes), read);
}

TEST(changing_inputs, matrix_market) {
  const std::string banner = "%%MatrixMarket matrix coordinate pattern general\n1000 1000 ";
  expect_no_harm(counted(banner, "\n", "1 2\n"), counted(banner, "\n", "900 1000\n"),
                 [](auto& ctx, const std::string& path) {
                   read_matrix_market<pattern>(ctx, path, {.chunk_bytes = 1000});
                 });
}

TEST(changing_inputs, matrix_market_array) {
  const std::string banner = "%%MatrixMarket matrix array real general\n";
  expect_no_harm(
      counted(banner, " 1\n", "1\n"), counted(banner, " 1\n", "12345.678\n"),
      [](auto& ctx, const std::string& path) { matrix_market_array::read_file(ctx, path); });
}

TEST(changing_inputs, npy) {
  const auto array = [](const char* descr, std::int64_t size) {
    return detail::npy_header_text(descr, false, {size}) +
           std::string(static_cast<std::size_t>(size) * (descr[2] - '0'), '\1');
  };
  expect_no_harm(array("<f2", 16000), array("<f8", 4000), [](auto& ctx, const std::string& path) {
    npy_file(ctx, path).visit([](auto view) {
      double sum = 0;
      for (std::int64_t i = 0; i < view.rows(); ++i) sum += view(i, 0);
      EXPECT_TRUE(sum == sum);
    });
  });
}

TEST(changing_inputs, npz) {
  const auto matrix = [](std::int32_t row, double value) {
    constexpr std::int32_t count = 4000;
    const std::vector<std::int32_t> rows(count, row), columns(count, row / 2);
    const std::vector<double> values(count, value);
    return npz_bytes(coo_view<const double, std::int32_t>{1000, 1000, count, rows.data(),
                                                          columns.data(), values.data()});
  };
  expect_no_harm(matrix(1, 1), matrix(900, 1e300),
                 [](auto& ctx, const std::string& path) { read_npz_sparse<double>(ctx, path); });
}

}  // namespace
}  // namespace evenfold::testing
