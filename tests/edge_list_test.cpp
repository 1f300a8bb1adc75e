// backends: host
// Edge lists: the same graph from each form and with every size of chunks, vertices in the order of
// their names, and refusals with the line and the reason.

#include "evenfold/io/edge_list/reader.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "evenfold/contexts.hpp"
#include "evenfold/io/edge_list/writer.hpp"
#include "support/refusals.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

/// The readers have no kernels, so that most tests use one context. The last test compares the
/// contexts.
struct edge_lists : ::testing::Test {
  cpu_context ctx{3};
};

/// An edge by the names of its ends.
using named_edge = std::tuple<std::string, std::string, double>;

template <class Value>
std::vector<named_edge> named_edges_of(const edge_list<Value>& list) {
  EXPECT_EQ(list.edges.num_rows, list.names.size());
  EXPECT_EQ(list.edges.num_columns, list.names.size());
  std::vector<named_edge> result;
  for (std::int64_t k = 0; k < list.edges.num_nonzeros; ++k) {
    result.emplace_back(list.names.name(list.edges.rows[k]), list.names.name(list.edges.columns[k]),
                        list.edges.view().value(k));
  }
  return result;
}

std::vector<std::string> all_names(const vertex_names& names) {
  std::vector<std::string> result;
  for (std::int32_t v = 0; v < names.size(); ++v) {
    result.push_back(names.name(v));
    EXPECT_EQ(names.find(result.back()), v);
  }
  return result;
}

template <class Value = double>
edge_list<Value> read(cpu_context& ctx, const std::string& text, edge_list_options options = {},
                      const std::string& name = "edges") {
  auto whole = read_edge_list<Value>(ctx, edge_list_text(ctx, text, name, options));
  for (const std::size_t bytes : {1, 2, 5, 17}) {
    options.chunk_bytes = bytes;
    const auto parts = read_edge_list<Value>(ctx, edge_list_text(ctx, text, name, options));
    EXPECT_EQ(named_edges_of(parts), named_edges_of(whole)) << bytes;
  }
  return whole;
}

void expect_refused(cpu_context& ctx, const std::string& text, int line, const std::string& what,
                    edge_list_options options = {}, const std::string& name = "edges") {
  SCOPED_TRACE(text);
  for (const std::size_t bytes : {1, 5, 1000}) {
    options.chunk_bytes = bytes;
    try {
      read_edge_list<double>(ctx, edge_list_text(ctx, text, name, options));
      ADD_FAILURE() << "accepted";
    } catch (const input_error& fault) {
      EXPECT_EQ(std::string(fault.what()), name + ":" + std::to_string(line) + ": " + what);
    }
  }
}

TEST_F(edge_lists, lines_of_words_with_comments) {
  const auto list = read(ctx,
                         "# FromNodeId\tToNodeId\r\n30\t1412\r\n%x\n\n \t\n  3   30  \n# end\n"
                         "1412 30");
  EXPECT_EQ(all_names(list.names), (std::vector<std::string>{"3", "30", "1412"}));
  EXPECT_EQ(named_edges_of(list),
            (std::vector<named_edge>{{"30", "1412", 1}, {"3", "30", 1}, {"1412", "30", 1}}));
}

TEST_F(edge_lists, weights_are_the_third_column) {
  const std::vector<named_edge> edges{{"1", "2", 0.5}, {"2", "1", -3e2}};
  EXPECT_EQ(named_edges_of(read(ctx, "1 2 .5 1999\n2 1 -3e2 x\n")), edges);
  EXPECT_EQ(named_edges_of(read(ctx, "1,2,.5\n2, 1 ,-3e2\n")), edges);
  EXPECT_EQ(named_edges_of(read(ctx, "from,to,w\n1,2,.5\n2,1,-3e2\n")), edges);
  EXPECT_EQ(named_edges_of(read(ctx, "w,b,a\n.5,2,1\n-3e2,1,2\n", {.columns = {"a", "b", "w"}})),
            edges);
  EXPECT_EQ(named_edges_of(read(ctx, ".5 2 1\n-3e2 1 2\n", {.columns = {"3", "2", "1"}})), edges);

  // Weights are not read if they are not requested.
  const std::vector<named_edge> plain{{"1", "2", 1}, {"2", "1", 1}};
  EXPECT_EQ(named_edges_of(read(ctx, "1 2 a\n2 1 b\n", {.columns = {"1", "2"}})), plain);
  EXPECT_EQ(named_edges_of(read<pattern>(ctx, "1 2 a\n2 1 b\n")), plain);
}

TEST_F(edge_lists, names_that_are_no_integers_are_texts) {
  const auto list = read(ctx, "b a\n10 9\n\xC3\xA9 b\n");
  // Texts are compared by bytes: the bytes of an accented letter are larger than those of any other
  // letter.
  EXPECT_EQ(all_names(list.names), (std::vector<std::string>{"10", "9", "a", "b", "\xC3\xA9"}));
  EXPECT_FALSE(list.names.are_numbers());
  EXPECT_EQ(list.names.find("c"), std::nullopt);

  // Integers that are not in the usual notation would be written differently.
  for (const char* odd : {"007", "+7", "-0", "7.0", "9223372036854775808", "-", "00"}) {
    EXPECT_FALSE(read(ctx, std::string("7 ") + odd).names.are_numbers()) << odd;
  }
}

TEST_F(edge_lists, integers_far_apart) {
  const auto list =
      read(ctx, "9223372036854775807 -9223372036854775808\n0 9223372036854775807\n-5 0\n");
  EXPECT_TRUE(list.names.are_numbers());
  EXPECT_EQ(all_names(list.names),
            (std::vector<std::string>{"-9223372036854775808", "-5", "0", "9223372036854775807"}));
  EXPECT_EQ(list.names.find("1"), std::nullopt);
  EXPECT_EQ(list.names.find("x"), std::nullopt);
}

TEST_F(edge_lists, a_table_and_a_search_number_alike) {
  // Few names, which are searched, and many, which need a table.
  std::vector<std::int64_t> ends;
  for (std::int64_t i = 0; i < 30000; ++i) ends.push_back(i * 7919 % 9973 - 4000);
  std::vector<std::int32_t> near(ends.size()), far(ends.size());
  const auto count = static_cast<std::int64_t>(ends.size());
  const vertex_names names = detail::number_vertices(ctx, ends.data(), count, near.data());
  for (std::int64_t& end : ends) end *= 1'000'003;
  const vertex_names others = detail::number_vertices(ctx, ends.data(), count, far.data());
  EXPECT_EQ(near, far);
  EXPECT_EQ(names.size(), 9973);
  EXPECT_EQ(others.size(), 9973);
  EXPECT_EQ(others.name(9972), std::to_string((9972 - 4000) * std::int64_t{1'000'003}));
}

TEST_F(edge_lists, csv_with_and_without_names_of_columns) {
  const std::vector<named_edge> edges{{"ann", "bob, jr", 1}, {"bob, jr", "say \"hi\"", 1}};
  const std::string rows = "ann,\"bob, jr\"\n\"bob, jr\",\"say \"\"hi\"\"\"\n";
  EXPECT_EQ(named_edges_of(read(ctx, "who,whom\n" + rows)), edges);
  EXPECT_EQ(named_edges_of(read(ctx, rows, {.header = false})), edges);
  // Texts alone would look like a header; texts and a number do not.
  EXPECT_EQ(read(ctx, rows).edges.num_nonzeros, 1);
  EXPECT_EQ(read(ctx, "ann,bob,3\nbob,ann,4\n").edges.num_nonzeros, 2);
  EXPECT_EQ(read(ctx, "1,2\n", {.columns = {"1", "2"}}).edges.num_nonzeros, 1);
  // The name of the file, or else the first line, decides.
  EXPECT_EQ(read(ctx, "a b,c d\n1 2,3 4\n", {}, "x.csv").edges.num_nonzeros, 1);
  EXPECT_EQ(read(ctx, "Doe,J Roe,R\n").edges.num_nonzeros, 1);
}

TEST_F(edge_lists, edges_with_a_null_are_left_out) {
  const std::string text = "from,to,km\na,b,1\nNA,b,2\nb,c,NA\nc,NA,3\nc,a,4\n";
  const auto list = read(ctx, text, {.nulls = "NA"});
  EXPECT_EQ(named_edges_of(list), (std::vector<named_edge>{{"a", "b", 1}, {"c", "a", 4}}));
  // Faults have the lines of the file.
  expect_refused(ctx, text + "d,,5\n", 7,
                 "an end of the edge has no name, expected the names of both", {.nulls = "NA"});
}

TEST_F(edge_lists, without_edges) {
  for (const char* text : {"# nothing\n", "\n", "from,to\n", "from,to,weight\n"}) {
    const auto list = read(ctx, text);
    EXPECT_EQ(list.edges.num_nonzeros, 0) << text;
    EXPECT_EQ(list.names.size(), 0) << text;
  }
}

TEST_F(edge_lists, what_breaks_the_rules) {
  expect_refused(ctx, "", 1, "the file is empty, expected a line for each edge, or a comment");
  expect_refused(ctx, "#\n7\n", 2, "'7' has 1 word, expected at least 2, the ends of an edge");
  expect_refused(ctx, "1 2\n#\n3 4 5\n", 3, "'3 4 5' has 3 words, expected 2 as in the first line");
  expect_refused(ctx, "1 2 3\n3 4 5\n3 4\n", 3,
                 "'3 4' has 2 words, expected 3 as in the first line");
  expect_refused(ctx, "a,b,c\n1,2,3\n3,4\n", 3,
                 "the record has 2 fields, expected 3 as in the first");
  expect_refused(ctx, "a,b\n1,2\n3, \n", 3,
                 "an end of the edge has no name, expected the names of both");
  const std::string remedy =
      ", expected a number; if the column has no weights, name the two other columns";
  expect_refused(ctx, "1 2 3\n1 2 x\n", 2, "'x' is the weight of an edge" + remedy);
  expect_refused(ctx, "1 2 nan\n", 1, "'nan' is the weight of an edge" + remedy);
  expect_refused(ctx, "a,b,c\n1,2,1e999\n", 2,
                 "'1e999' is the weight of an edge and out of range" + remedy);
  expect_refused(ctx, "1 2\n", 1,
                 "'1 2' has 2 words, expected at least 3 for the requested columns",
                 {.columns = {"1", "2", "3"}});
  expect_refused(ctx, "\n1 2\n", 2,
                 "there is no column 'a', expected a number from 1 to 2, since there is no header",
                 {.columns = {"a", "2"}});
  expect_refused(ctx, "a,b\n1,2\n", 1, "there is no column 'c', expected one of 'a', 'b'",
                 {.columns = {"a", "c"}});
  expect_refused(ctx, "a\n1\n", 1,
                 "the table has 1 column, expected at least two, the ends of an edge", {}, "f.csv");
}

TEST_F(edge_lists, a_byte_order_mark_does_not_count) {
  const std::string mark = "\xEF\xBB\xBF";
  const std::vector<named_edge> edges{{"1", "2", 1}, {"3", "4", 1}};
  EXPECT_EQ(named_edges_of(read(ctx, mark + "1 2\n3 4\n")), edges);
  EXPECT_EQ(named_edges_of(read(ctx, mark + "# a b\n1 2\n3 4\n")), edges);
  EXPECT_EQ(named_edges_of(read(ctx, mark + "1,2\n3,4\n")), edges);
  EXPECT_EQ(named_edges_of(read(ctx, mark + "a b\n1 2\n3 4\n", {.columns = {"a", "b"}})), edges);
  expect_refused(ctx, mark, 1, "the file is empty, expected a line for each edge, or a comment");
  expect_refused(ctx,
                 "\xFF\xFE"
                 "1",
                 1, "the text is UTF-16, expected UTF-8");
}

TEST_F(edge_lists, files_that_are_not_lines_of_text) {
  for (const std::string text : {"1 2\r2 3\r", "# c\r1 2\r", "1,2\r2,3\r", "1 2\r2 3\n3 1\n"}) {
    expect_refused(ctx, text, 1, "a carriage return stands alone, expected lines that end with LF");
  }
  expect_refused(ctx, std::string("\x93NUMPY\x01\0v\0{'descr': '<f8'", 24), 1,
                 "this is an array of NumPy, expected text");
}

TEST_F(edge_lists, columns_of_another_number) {
  expect_refusal("edge_list_text", "options.columns.size()", [&] {
    edge_list_text(ctx, "1 2 3 4\n", "f", {.columns = {"1", "2", "3", "4"}});
  });
}

TEST_F(edge_lists, the_first_fault_counts) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "1 2 3\n";
  expect_refused(ctx, text + "1 2\n" + text + "1 2 x\n", 5001,
                 "'1 2' has 2 words, expected 3 as in the first line");
}

TEST_F(edge_lists, what_is_written_is_read_back) {
  const scratch_directory scratch;
  const auto weighted = read(ctx, "5 -3 0.1\n-3 70000000000 1e-300\n5 -3 2\n");
  const auto texts = read(ctx, "ann bob\nbob #c\n");
  for (const char* name : {"a.txt", "a.csv"}) {
    write_edge_list(ctx, scratch / name, weighted.edges.view(), weighted.names);
    EXPECT_EQ(named_edges_of(read_edge_list<double>(ctx, scratch / name)), named_edges_of(weighted))
        << name;
  }
  write_edge_list(ctx, scratch / "b.csv", texts.edges.view(), texts.names);
  EXPECT_EQ(named_edges_of(read_edge_list<double>(ctx, scratch / "b.csv")), named_edges_of(texts));
  try {
    write_edge_list(ctx, scratch / "b.txt", texts.edges.view(), texts.names);
    ADD_FAILURE() << "written";
  } catch (const output_error& fault) {
    EXPECT_EQ(
        std::string(fault.what()),
        "a vertex has the name '#c', which cannot be a word of a line; write a file that ends with "
        ".csv");
  }
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"a.csv", "a.txt", "b.csv"}));
}

TEST_F(edge_lists, a_real_one) {
  const std::string data = shared_data();
  if (data.empty()) GTEST_SKIP() << "no shared data: set EVENFOLD_DATA";
  const std::string path = data + "/graphs/wiki-Vote.txt";
  const auto votes = read_edge_list<pattern>(ctx, path);
  EXPECT_EQ(votes.names.size(), 7115);
  EXPECT_EQ(votes.edges.num_nonzeros, 103689);
  EXPECT_EQ(named_edges_of(votes).front(), named_edge("30", "1412", 1));

  const scratch_directory scratch;
  const std::string packed = scratch.write("votes.txt.gz", gzip(read_back(path)));
  reference_context plain;
  EXPECT_EQ(named_edges_of(read_edge_list<pattern>(plain, packed)), named_edges_of(votes));
}

}  // namespace
}  // namespace evenfold::testing
