// backends: host
// CSV files that are plain, piped, compressed or damaged, and dictionaries of their texts.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "evenfold/contexts.hpp"
#include "evenfold/io/csv/table.hpp"
#include "evenfold/io/text/dictionary.hpp"
#include "tests/support/csv_tables.hpp"
#include "tests/support/scratch.hpp"

namespace evenfold::testing {
namespace {

TEST(csv_file, faults_of_the_file) {
  reference_context ctx;
  const scratch_directory scratch;
  const auto fault = [&](const std::string& name) {
    return fault_of([&] { csv_table::read_file(ctx, name); });
  };
  const std::string missing = scratch / "missing.csv";
  EXPECT_EQ(fault(missing), missing + ": the file does not exist");
  EXPECT_EQ(fault(scratch / "."), scratch / "." + ": this is a directory, expected a file");
  const std::string empty = scratch.write("empty.csv", "");
  EXPECT_EQ(fault(empty),
            empty + ":1: the file is empty, expected a line with the names of the columns");
}

TEST(csv_file, plain_piped_and_compressed) {
  reference_context ctx;
  const scratch_directory scratch;
  const std::string text = "a,b\n1,\"x\ny\"\n";
  const table_of_texts rows = {{"1", "x\ny"}};
  const std::string plain = scratch.write("t.csv", text);
  EXPECT_EQ(meanings(csv_table::read_file(ctx, plain)), rows);

  const std::string compressed = scratch.write("t.csv.gz", gzip(text));
  EXPECT_EQ(meanings(csv_table::read_file(ctx, compressed)), rows);
  // Two members, as from `cat a.gz b.gz`, and padding.
  const std::string members =
      scratch.write("m.gz", gzip(text) + gzip("2,z\n") + std::string(100, '\0'));
  EXPECT_EQ(meanings(csv_table::read_file(ctx, members)),
            (table_of_texts{{"1", "x\ny"}, {"2", "z"}}));

  const std::string pipe = scratch / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << text; });
  EXPECT_EQ(meanings(csv_table::read_file(ctx, pipe)), rows);
  writer.join();
}

TEST(csv_file, a_table_may_be_moved) {
  reference_context ctx;
  const scratch_directory scratch;
  csv_table table = csv_table::read_file(ctx, scratch.write("t.gz", gzip("a\n1\n")));
  const csv_table moved = std::move(table);
  EXPECT_EQ(meanings(moved), (table_of_texts{{"1"}}));
}

TEST(csv_file, damaged_gzip) {
  reference_context ctx;
  const scratch_directory scratch;
  std::string text = "a\n";
  for (int i = 0; i < 5000; ++i) text += std::to_string(i * 7919) + "\n";
  const std::string whole = gzip(text);
  const auto fault = [&](const std::string& bytes) {
    const std::string name = scratch.write("t.gz", bytes);
    const std::string what = fault_of([&] { csv_table::read_file(ctx, name); });
    return what.empty() ? what : what.substr(name.size());
  };
  EXPECT_EQ(fault(whole), "");
  for (const std::size_t kept : {std::size_t{2}, std::size_t{9}, std::size_t{18}, whole.size() / 2,
                                 whole.size() - 8, whole.size() - 1}) {
    EXPECT_EQ(fault(whole.substr(0, kept)), ": the gzip data ends early, expected a whole .gz file")
        << kept;
  }
  EXPECT_EQ(fault(whole + "more"),
            ": other bytes follow the end of the gzip data, expected a whole .gz file alone");
  std::string wrong = whole;
  wrong[wrong.size() - 6] ^= 1;
  EXPECT_EQ(fault(wrong),
            ": the gzip data is damaged (incorrect data check), expected a whole .gz file");
}

TEST(csv_file, real_tables) {
  const std::string data = shared_data();
  if (data.empty()) GTEST_SKIP() << "no EVENFOLD_DATA and no ../shared/data";
  cpu_context ctx(2);
  const csv_table places = csv_table::read_file(ctx, data + "/geo/statecity.csv");
  ASSERT_EQ(places.num_rows(), 29510u);
  ASSERT_EQ(places.num_columns(), 8u);
  const auto latitudes = places.numbers(ctx, places.column("Latitude"), {-90, 90, "a latitude"});
  EXPECT_EQ(latitudes.front(), 33.091627);
  const auto states = encode(ctx, places.texts(ctx, places.column("ISO31662A2(State)")));
  EXPECT_EQ(states.values.size(), 52u);
  EXPECT_EQ(states.values.front(), "AL");

  csv_options no_header;
  no_header.header = false;
  const csv_table airlines =
      csv_table::read_file(ctx, data + "/tables/openflights/airlines.dat", no_header);
  EXPECT_EQ(airlines.num_columns(), 8u);
  EXPECT_EQ(airlines.field(0, 2), "\\N");
}

TEST(gunzip, all_sizes) {
  for (const std::size_t size : {0u, 1u, 31u, 100000u, 3000000u}) {
    std::string text(size, 'x');
    for (std::size_t i = 0; i < size; i += 17) text[i] = static_cast<char>('a' + i % 23);
    EXPECT_TRUE(detail::gunzip(gzip(text), "t.gz").text() == text) << size;
  }
}

TEST(dictionary, order_of_first_appearance_on_any_team) {
  std::vector<std::string> owned;
  for (std::size_t i = 0; i < 100003; ++i)
    owned.push_back(std::to_string(i * i % 1009 * (i / 40000)));
  const std::vector<std::string_view> texts(owned.begin(), owned.end());
  std::vector<std::string_view> values;
  std::vector<std::int32_t> ids;
  std::map<std::string_view, std::int32_t> id_of;
  for (const std::string_view text : texts) {
    const auto [found, is_new] = id_of.emplace(text, static_cast<std::int32_t>(values.size()));
    ids.push_back(found->second);
    if (is_new) values.push_back(text);
  }
  for (const int threads : {1, 2, 5}) {
    cpu_context ctx(threads);
    const dictionary encoded = encode(ctx, texts);
    EXPECT_EQ(encoded.values, values);
    EXPECT_EQ(std::vector<std::int32_t>(encoded.ids.begin(), encoded.ids.end()), ids);
  }
  reference_context ctx;
  EXPECT_TRUE(encode(ctx, std::vector<std::string_view>{}).values.empty());
}

}  // namespace
}  // namespace evenfold::testing
