// backends: host
// The rule that decides whether a file has a header, by itself and in CSV files and edge lists.

#include "evenfold/io/text/header_rule.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "evenfold/contexts.hpp"
#include "evenfold/io/csv/table.hpp"
#include "evenfold/io/edge_list/reader.hpp"

namespace evenfold::testing {
namespace {

using enum header_reason;

std::pair<bool, header_reason> judged(const std::string& text,
                                      const std::vector<std::string>& asked = {}) {
  reference_context ctx;
  const csv_table table =
      csv_table::read_text(ctx, text, "t", {.header = std::nullopt, .asked = asked});
  EXPECT_EQ(table.columns()[0] == "1", !table.header().header) << text;
  return {table.header().header, table.header().reason};
}

TEST(header_rule, a_text_above_numbers_is_a_name_for_certain) {
  const std::pair yes(true, above_numbers);
  EXPECT_EQ(judged("x\n1\n"), yes);
  EXPECT_EQ(judged("name,x\nann,1\nbob,2.5\n"), yes);
  EXPECT_EQ(judged("a,2019\nx,\n,\n"), std::pair(false, mixed));
  EXPECT_EQ(judged("a,b\nx,\n,-1e3\nz,\n"), yes);  // empty fields do not count
  EXPECT_EQ(judged("\" x \",y\n\"1\",t\n"), yes);
  EXPECT_EQ(judged("a,b\n1,x\ny,2\n"), std::pair(true, texts));
}

TEST(header_rule, columns_that_are_asked_for_by_name_have_names) {
  const std::string words = "first,second\nann,bob\n";
  EXPECT_EQ(judged(words, {"second"}), std::pair(true, asked_for));
  EXPECT_EQ(judged(words, {" second ", "first"}), std::pair(true, asked_for));
  EXPECT_EQ(judged(words, {"2", "third"}), std::pair(true, asked_for));
  EXPECT_EQ(judged("30,40\n3,4\n", {"x"}), std::pair(false, numbers));
  EXPECT_EQ(judged(words, {"1"}), std::pair(true, texts));
  // A year is the name of a column if it is requested as one.
  EXPECT_EQ(judged("2019,2020\n1,2\n", {"2020"}), std::pair(true, asked_for));
  EXPECT_EQ(judged("2,1\n5,6\n", {"2"}), std::pair(false, numbers));
  EXPECT_EQ(judged("2019,2020\n1,2\n", {"3"}), std::pair(false, numbers));
}

TEST(header_rule, numbers_alone_and_texts_alone_are_guesses) {
  EXPECT_EQ(judged("2019,2020,2021\n5,6,7\n"), std::pair(false, numbers));
  EXPECT_EQ(judged("1\n"), std::pair(false, numbers));
  EXPECT_EQ(judged("ann,3\nbob,4\n"), std::pair(false, mixed));
  EXPECT_EQ(judged("x,2019\n1,2\n"), std::pair(true, mixed));
  EXPECT_EQ(judged("5,\n6,a\n"), std::pair(false, numbers));
  EXPECT_EQ(judged("alice,bob\nbob,carol\n"), std::pair(true, texts));
  EXPECT_EQ(judged("a,b\n"), std::pair(true, texts));
  reference_context ctx;
  for (const bool said : {false, true}) {
    const csv_table table = csv_table::read_text(ctx, "1,2\n3,4\n", "t", {.header = said});
    EXPECT_EQ(table.header().header, said);
    EXPECT_FALSE(table.header().is_guess());
    EXPECT_EQ(table.num_rows(), said ? 1u : 2u);
  }
}

TEST(header_rule, looks_at_some_records_of_many) {
  std::string text = "x\n";
  for (int i = 0; i < 5000; ++i) text += std::to_string(i) + "\n";
  EXPECT_EQ(judged(text + "and a text\n"), std::pair(true, above_numbers));
}

/// The number of edges, whether the list has a header, and why.
struct edges_read {
  std::int64_t count;
  bool header;
  header_reason reason;
  friend bool operator==(const edges_read&, const edges_read&) = default;
};

edges_read edges_in(const std::string& text, const edge_list_options& options = {}) {
  reference_context ctx;
  const edge_list_text source(ctx, text, "g", options);
  const auto list = read_edge_list<double>(ctx, source);
  EXPECT_EQ(list.edges.num_nonzeros, source.size());
  return {source.size(), source.header().header, source.header().reason};
}

TEST(header_rule, lists_of_edges) {
  EXPECT_EQ(edges_in("src\tdst\n1\t2\n2\t3\n"), (edges_read{2, true, above_numbers}));
  EXPECT_EQ(edges_in("# comment\n\n  src dst weight\nann bob 1\nbob ann 2\n"),
            (edges_read{2, true, above_numbers}));
  EXPECT_EQ(edges_in("ann bob\nbob carol\n"), (edges_read{2, false, texts}));
  EXPECT_EQ(edges_in("ann bob 5\nbob carol 6\n"), (edges_read{2, false, mixed}));
  // A header with a year, or the edge of a vertex whose name is no number.
  EXPECT_EQ(edges_in("a 1\n2 3\n4 5\n"), (edges_read{2, true, mixed}));
  EXPECT_EQ(edges_in("1 2\n3 4\n"), (edges_read{2, false, numbers}));
  EXPECT_EQ(edges_in("ann,bob\nbob,carol\n"), (edges_read{1, true, texts}));
  EXPECT_EQ(edges_in("# nobody\n"), (edges_read{0, false, header_reason::no_record}));
  EXPECT_EQ(edges_in("ann,bob\nbob,carol\n", {.header = false}), (edges_read{2, false, said}));
  EXPECT_EQ(edges_in("ann bob\nbob carol\n", {.header = true}), (edges_read{1, true, said}));
  EXPECT_EQ(edges_in("src dst", {.header = true}), (edges_read{0, true, said}));
  EXPECT_EQ(edges_in("# nothing\n", {.header = true}).count, 0);
  // A header in lines of words.
  const std::string words = "since to from\n1999 ann bob\n2001 bob cy\n";
  reference_context ctx;
  const auto list =
      read_edge_list<double>(ctx, edge_list_text(ctx, words, "g", {.columns = {"from", "to"}}));
  EXPECT_EQ(list.names.name(list.edges.rows[0]), "bob");
  EXPECT_EQ(list.names.name(list.edges.columns[0]), "ann");
  for (std::size_t chunk = 1; chunk < words.size(); ++chunk) {
    EXPECT_EQ(edges_in(words, {.columns = {"from", "to"}, .chunk_bytes = chunk}),
              (edges_read{2, true, asked_for}));
  }
  try {
    edges_in("a b\nx y\nz\n", {.header = true});
    ADD_FAILURE() << "a line too short was read";
  } catch (const input_error& refused) {
    EXPECT_EQ(refused.line(), 3u);
  }
  try {
    edges_in(words, {.columns = {"form", "to"}});
    ADD_FAILURE() << "a column that is not there was read";
  } catch (const input_error& refused) {
    EXPECT_NE(std::string(refused.what()).find("there is no column 'form', expected one of"),
              std::string::npos)
        << refused.what();
  }
}

}  // namespace
}  // namespace evenfold::testing
