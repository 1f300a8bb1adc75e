// backends: host
// Reading and writing tables by RFC 4180, with every size of chunks, and the line number of every
// fault.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "evenfold/contexts.hpp"
#include "evenfold/io/csv/table.hpp"
#include "evenfold/io/csv/writer.hpp"
#include "tests/support/csv_tables.hpp"
#include "tests/support/shapes.hpp"

namespace evenfold::testing {
namespace {

std::string fault_of_text(std::string_view text, const csv_options& options = {}) {
  cpu_context ctx(2);
  return fault_of([&] { csv_table::read_text(ctx, text, "t.csv", options); });
}

/// Reads the text with every chunk size that matters, on several teams, and expects the same each
/// time.
void expect_table(std::string_view text, const std::vector<std::string>& columns,
                  const table_of_texts& rows, csv_options options = {}) {
  const std::size_t whole = text.size() + 1;
  for (std::size_t chunk = 1; chunk <= whole; chunk += chunk < 40 ? 1 : whole / 7 + 1) {
    for (const int threads : {1, 2, 5}) {
      SCOPED_TRACE("chunks of " + std::to_string(chunk) + ", threads " + std::to_string(threads));
      options.chunk_bytes = chunk;
      cpu_context ctx(threads);
      const csv_table table = csv_table::read_text(ctx, text, "t.csv", options);
      ASSERT_EQ(table.columns(), columns);
      ASSERT_EQ(meanings(table), rows);
    }
  }
}

/// Expects the same fault with every size of chunks.
void expect_fault(std::string_view text, const std::string& message, csv_options options = {}) {
  for (std::size_t chunk = 1; chunk <= text.size() + 1; ++chunk) {
    options.chunk_bytes = chunk;
    ASSERT_EQ(fault_of_text(text, options), message) << "chunks of " << chunk;
  }
}

TEST(csv, plain_table) {
  expect_table("a,b,c\n1,2,3\n4,5,6\n", {"a", "b", "c"}, {{"1", "2", "3"}, {"4", "5", "6"}});
}

TEST(csv, empty_fields_everywhere) {
  expect_table("a,b,c\n,,\n,2,\n1,,3\n\"\",\"\",\"\"\n", {"a", "b", "c"},
               {{"", "", ""}, {"", "2", ""}, {"1", "", "3"}, {"", "", ""}});
}

TEST(csv, no_newline_at_the_end) {
  expect_table("a,b\n1,2", {"a", "b"}, {{"1", "2"}});
  expect_table("a,b\n1,", {"a", "b"}, {{"1", ""}});
  expect_table("a,b\n1,\"2\"", {"a", "b"}, {{"1", "2"}});
  expect_table("a,b", {"a", "b"}, {});
}

TEST(csv, carriage_returns) {
  expect_table("a,b\r\n1,2\r\n3,4\r\n", {"a", "b"}, {{"1", "2"}, {"3", "4"}});
  expect_table("a,b\r\n\"1\",\"2\"\r\n3,\r\n", {"a", "b"}, {{"1", "2"}, {"3", ""}});
  expect_table("a,b\r\n1,\"2\"\r", {"a", "b"}, {{"1", "2"}});
  expect_table("a,b\nx\ry,\"p\r\nq\"\n", {"a", "b"}, {{"x\ry", "p\r\nq"}});
}

TEST(csv, quotes_newlines_and_delimiters_inside_fields) {
  expect_table("name,note\n\"a,b\",\"first\nsecond\"\n\"say \"\"hi\"\"\",\"\"\"\"\n\"\n\n\n\",x\n",
               {"name", "note"}, {{"a,b", "first\nsecond"}, {"say \"hi\"", "\""}, {"\n\n\n", "x"}});
}

TEST(csv, header_names_are_trimmed_and_may_be_quoted) {
  expect_table(" a ,\t b,\"c, d\",\"e \"\"f\"\"\"\n1,2,3,4\n", {"a", "b", "c, d", "e \"f\""},
               {{"1", "2", "3", "4"}});
}

TEST(csv, values_keep_their_blanks) { expect_table("a,b\n x , y\n", {"a", "b"}, {{" x ", " y"}}); }

TEST(csv, byte_order_mark_and_utf8) {
  expect_table("\xEF\xBB\xBFname,b\nZürich,東京\n", {"name", "b"}, {{"Zürich", "東京"}});
  expect_table("\xEF\xBB\xBF\"name\",b\n1,2\n", {"name", "b"}, {{"1", "2"}});
}

TEST(csv, empty_lines_at_the_end_are_ignored) {
  expect_table("a,b\n1,2\n\n\n", {"a", "b"}, {{"1", "2"}});
  expect_table("a,b\r\n1,2\r\n\r\n\r\n", {"a", "b"}, {{"1", "2"}});
}

TEST(csv, empty_lines_are_empty_fields_in_one_column) {
  expect_table("a\n1\n\n2\n\n", {"a"}, {{"1"}, {""}, {"2"}, {""}});
}

TEST(csv, other_delimiters) {
  csv_options options;
  options.delimiter = ';';
  expect_table("a;b\n1,5;\"x;y\"\n", {"a", "b"}, {{"1,5", "x;y"}}, options);
  options.delimiter = '\t';
  expect_table("a\tb\n1\t\n", {"a", "b"}, {{"1", ""}}, options);
  for (const char wrong : {'"', '\r', '\n'}) {
    options.delimiter = wrong;
    reference_context ctx;
    EXPECT_THROW(csv_table::read_text(ctx, "a", "t.csv", options), argument_error);
  }
}

TEST(csv, without_header) {
  csv_options options;
  options.header = false;
  expect_table("1,x\n2,\\N\n", {"1", "2"}, {{"1", "x"}, {"2", "\\N"}}, options);
  expect_table("1,x", {"1", "2"}, {{"1", "x"}}, options);
}

TEST(csv, fields_keep_their_bytes) {
  reference_context ctx;
  const csv_table table = csv_table::read_text(ctx, "a,b\r\n\"x \"\"y\"\"\", 1.50\r\n", "t.csv");
  EXPECT_EQ(table.field(0, 0), "\"x \"\"y\"\"\"");
  EXPECT_EQ(table.field(0, 1), " 1.50");
}

TEST(csv, wrong_tables_are_refused_on_the_right_line) {
  expect_fault("", "t.csv:1: the file is empty, expected a line with the names of the columns");
  expect_fault("\r\n\n",
               "t.csv:1: the file is empty, expected a line with the names of the columns");
  expect_fault("\xEF\xBB\xBF",
               "t.csv:1: the file is empty, expected a line with the names of the columns");
  expect_fault("a,b\n1,2\n3\n4,5\n", "t.csv:3: the record has 1 field, expected 2 as in the first");
  expect_fault("a,b\n1,2\n3,4,5", "t.csv:3: the record has 3 fields, expected 2 as in the first");
  expect_fault("a,b\n\n1,2\n", "t.csv:2: the line is empty, expected a record of 2 fields");
  expect_fault("a,b\r\n\r\n1,2\r\n", "t.csv:2: the line is empty, expected a record of 2 fields");
  expect_fault(
      "\xFF\xFE"
      "a",
      "t.csv:1: the text is UTF-16, expected UTF-8");
}

TEST(csv, files_that_are_not_lines_of_text_are_refused) {
  const std::string lone =
      "t.csv:1: a carriage return stands alone, expected lines that end with LF";
  expect_fault("a,b\r1,2\r3,4\r", lone);
  expect_fault("a,b\r1,2\r\n", lone);
  expect_fault(std::string("\x93NUMPY\x01\0v\0{'descr': '<f8'", 24),
               "t.csv:1: this is an array of NumPy, expected text");
  for (const std::string before : {"", " ", "\n\"", "\xEF\xBB\xBF"}) {
    expect_fault(before + std::string("PK\x03\x04\x0A\0\0\0", 8),
                 "t.csv:1: this is a ZIP archive, such as .xlsx or .npz, expected text");
  }
  expect_fault("PAR1\x15\4\n", "t.csv:1: this is a Parquet file, expected text");
  expect_fault("\xFD\x37zXZ\1", "t.csv:1: this is a file compressed by xz, expected text");
  expect_table("PAR1,BZh\n1,2\n", {"PAR1", "BZh"}, {{"1", "2"}});
  // UTF-16 without a byte order mark.
  const std::string zero = "t.csv:1: a zero byte stands in the first line, expected text in UTF-8";
  expect_fault(std::string("a\0,\0b\0\n\0", 8), zero);
  expect_fault(std::string("\n\0a\0,\0b\0\n", 9), zero);
  expect_table("a,b\r", {"a", "b"}, {});
  expect_table("a,\"b\rc\"\n1,2\r\n", {"a", "b\rc"}, {{"1", "2"}});
}

TEST(csv, lines_count_newlines_inside_fields) {
  expect_fault("a,b\n\"1\n\n\n\",2\n\"x\ny\",3\n1,2,3\n",
               "t.csv:8: the record has 3 fields, expected 2 as in the first");
}

TEST(csv, the_first_of_many_faults_is_reported) {
  std::string text = "a,b\n";
  for (int i = 0; i < 50; ++i) text += "1,2\n";
  text += "only one\n1,\"never closed\nx,y,z\nq\"uote,\n";
  expect_fault(text, "t.csv:52: the record has 1 field, expected 2 as in the first");
}

TEST(csv, wrong_quotes_are_refused) {
  expect_fault("a,b\n1,\"x\n2,y\n",
               "t.csv:2: a quoted field begins here and never ends, expected a closing quote");
  expect_fault("a,b\n1,\"",
               "t.csv:2: a quoted field begins here and never ends, expected a closing quote");
  expect_fault(
      "a,b\n1,x\"y\"\n",
      "t.csv:2: a quote stands in a field that does not begin with one, expected the whole "
      "field in quotes and quotes in it doubled");
  expect_fault("a,b\n1,\"x\"y\n",
               "t.csv:2: text follows a closing quote, expected ',' or the end of the line; "
               "quotes in a quoted field must be doubled");
  expect_fault("a,b\n1,\"x\n2,\"y\"\n",
               "t.csv:3: text follows a closing quote (the field was opened on line 2), expected "
               "',' or the end of the line; quotes in a quoted field must be doubled");
  expect_fault("\"a,b\n",
               "t.csv:1: a quoted field begins here and never ends, expected a closing quote");
}

TEST(csv, columns_by_name) {
  reference_context ctx;
  const csv_table table = csv_table::read_text(ctx, "x, y ,x,Größe\n1,2,3,4\n", "t.csv");
  EXPECT_EQ(table.column("y"), 1u);
  EXPECT_EQ(table.column(" y"), 1u);
  EXPECT_EQ(table.column("Größe"), 3u);
  EXPECT_EQ(fault_of([&] { table.column("z"); }),
            "t.csv:1: there is no column 'z', expected one of 'x', 'y', 'x', 'Größe'");
  EXPECT_EQ(fault_of([&] { table.column("x"); }),
            "t.csv:1: the columns 1 and 3 are both named 'x', expected different names");
}

TEST(csv, numbers) {
  cpu_context ctx(2);
  const csv_table table = csv_table::read_text(
      ctx, "v\n1\n-2.5\n +3e2\t\n\"4\"\n1e-300\n.5\n-0\n0.1000000000000000055511151231257827\n",
      "t.csv");
  EXPECT_EQ(table.numbers(ctx, 0), (std::vector<double>{1, -2.5, 300, 4, 1e-300, .5, -0.0, 0.1}));
}

TEST(csv, wrong_numbers_are_refused_on_the_right_line) {
  reference_context ctx;
  const number_rule latitude{-90, 90, "a latitude"};
  const auto fault = [&](const std::string& field, const number_rule& rule = {}) {
    const std::string text = "name,v\n\"two\nlines\",1\n" + std::string("x,") + field + "\ny,zzz\n";
    const csv_table table = csv_table::read_text(ctx, text, "t.csv");
    return fault_of([&] { table.numbers(ctx, 1, rule); });
  };
  EXPECT_EQ(fault("abc"), "t.csv:4: 'abc' in column 'v' is not a number, expected a number");
  EXPECT_EQ(fault("1.5x"), "t.csv:4: '1.5x' in column 'v' is not a number, expected a number");
  EXPECT_EQ(fault("1 5"), "t.csv:4: '1 5' in column 'v' is not a number, expected a number");
  EXPECT_EQ(fault("0x10"), "t.csv:4: '0x10' in column 'v' is not a number, expected a number");
  EXPECT_EQ(fault("+-1"), "t.csv:4: '+-1' in column 'v' is not a number, expected a number");
  EXPECT_EQ(fault("++1"), "t.csv:4: '++1' in column 'v' is not a number, expected a number");
  EXPECT_EQ(fault("\"a\nb\""), "t.csv:4: 'a\\nb' in column 'v' is not a number, expected a number");
  EXPECT_EQ(fault(""), "t.csv:4: '' in column 'v' is empty, expected a number");
  EXPECT_EQ(fault("  "), "t.csv:4: '' in column 'v' is empty, expected a number");
  EXPECT_EQ(fault("nan"), "t.csv:4: 'nan' in column 'v' is not a number, expected a number");
  EXPECT_EQ(fault("1e999"),
            "t.csv:4: '1e999' in column 'v' is out of the range of a double, expected a number");
  EXPECT_EQ(fault("inf", latitude),
            "t.csv:4: 'inf' in column 'v' is out of range, expected a latitude");
  EXPECT_EQ(fault("90.0001", latitude),
            "t.csv:4: '90.0001' in column 'v' is out of range, expected a latitude");
}

TEST(csv, the_first_wrong_number_is_reported_on_any_team) {
  std::string text = "v\n";
  for (int i = 0; i < 40000; ++i) text += i == 9000 || i % 10000 == 9999 ? "bad\n" : "1\n";
  for (const int threads : {1, 2, 7}) {
    cpu_context ctx(threads);
    const csv_table table = csv_table::read_text(ctx, text, "t.csv");
    EXPECT_EQ(fault_of([&] { table.numbers(ctx, 0); }),
              "t.csv:9002: 'bad' in column 'v' is not a number, expected a number");
  }
}

/// A random field of characters that need quotes and characters that do not.
std::string random_field(std::mt19937& random) {
  constexpr std::string_view letters[] = {"a", "b", " ", ",", "\"", "\n", "\r\n", "\r", "é", "1"};
  std::string field;
  for (std::size_t length = random() % 6; length > 0; --length) field += letters[random() % 10];
  return field;
}

TEST(csv, what_the_writer_writes_the_reader_reads) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t width = 1 + random() % 4;
    std::vector<std::string> columns;
    csv_writer writer;
    for (std::size_t c = 0; c < width; ++c) {
      columns.push_back("c" + std::to_string(c));
    }
    writer.record(columns);
    table_of_texts rows(random() % 20, std::vector<std::string>(width));
    for (auto& row : rows) {
      for (std::string& field : row) field = random_field(random);
      writer.record(row);
    }
    for (const std::size_t chunk : {1u, 2u, 3u, 7u, 1000u}) {
      csv_options options;
      options.chunk_bytes = chunk;
      cpu_context ctx(2);
      const csv_table table = csv_table::read_text(ctx, writer.text(), "t.csv", options);
      ASSERT_EQ(table.columns(), columns) << writer.text();
      ASSERT_EQ(meanings(table), rows) << writer.text();
      csv_writer again;
      again.record(columns);
      for (std::size_t row = 0; row < table.num_rows(); ++row) {
        for (std::size_t c = 0; c < width; ++c) again.raw_field(table.field(row, c));
        again.end_record();
      }
      ASSERT_EQ(again.text(), writer.text());
    }
  }
}

TEST(csv, records_far_from_quotes_are_read_as_those_near_them) {
  // One quoted name makes another way through all records that are in one chunk with it.
  std::string body;
  std::string ragged;
  for (int row = 0; row < 500; ++row) {
    body += std::string(row % 7, 'x') + ',' + (row % 3 == 0 ? "" : "\ry") + ',' +
            std::string(row % 90, 'z') + (row % 2 == 0 ? "\r\n" : "\n");
    ragged += row == 300 ? "1,2\n" : "1,,\r\n";
  }
  cpu_context ctx(2);
  const std::string plain_text = "a,b,c\n" + body;
  const std::string quoted_text = "\"a\",b,c\n" + body;
  const csv_table plain = csv_table::read_text(ctx, plain_text, "t.csv");
  const csv_table quoted = csv_table::read_text(ctx, quoted_text, "t.csv");
  EXPECT_EQ(plain.num_rows(), 500u);
  EXPECT_EQ(meanings(plain), meanings(quoted));
  EXPECT_EQ(fault_of_text("a,b,c\n" + ragged),
            "t.csv:302: the record has 2 fields, expected 3 as in the first");
}

TEST(csv, random_bytes_give_one_answer_whatever_the_chunks) {
  std::mt19937 random(3);
  constexpr std::string_view letters = "ab,,\"\"\n\n\r";
  cpu_context ctx(2);
  for (std::int64_t trial = 0; trial < third_if_sanitized(3000); ++trial) {
    std::string text;
    for (std::size_t length = random() % 24; length > 0; --length) {
      text += letters[random() % letters.size()];
    }
    const auto answer = [&](std::size_t chunk) {
      csv_options options;
      options.chunk_bytes = chunk;
      std::string said;
      table_of_texts rows;
      try {
        rows = meanings(csv_table::read_text(ctx, text, "t.csv", options));
      } catch (const input_error& fault) {
        said = fault.what();
      }
      return std::pair(said, rows);
    };
    const auto whole = answer(1000);
    for (std::size_t chunk = 1; chunk <= text.size(); ++chunk) {
      ASSERT_EQ(answer(chunk), whole) << "chunks of " << chunk << " in " << shown(text);
    }
  }
}

TEST(csv, of_many_columns_some_are_named) {
  reference_context ctx;
  std::string header, row;
  for (int i = 0; i < 5000; ++i) {
    header += (i > 0 ? ",col" : "col") + std::to_string(i);
    row += i > 0 ? ",1" : "1";
  }
  const csv_table table = csv_table::read_text(ctx, header + "\n" + row + "\n", "t.csv");
  // The most similar names come first, without regard to case.
  EXPECT_EQ(fault_of([&] { table.column("COL42x"); }),
            "t.csv:1: there is no column 'COL42x', expected one of 'col42', 'col420', 'col421', "
            "'col422', 'col423', 'col424', 'col425', 'col426', 'col427', 'col428' and 4990 more; "
            "did you mean 'col42'?");
  EXPECT_EQ(fault_of([&] { table.column("something else"); }),
            "t.csv:1: there is no column 'something else', expected one of 'col0', 'col1', 'col2', "
            "'col3', 'col4', 'col5', 'col6', 'col7', 'col8', 'col9' and 4990 more");
}

}  // namespace
}  // namespace evenfold::testing
