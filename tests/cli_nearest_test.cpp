// backends: host
// The command `evenfold nearest`: what it prints, what it writes, and how it ends.

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "evenfold/contexts.hpp"
#include "evenfold/geo/great_circle.hpp"
#include "evenfold/io/csv/table.hpp"
#include "evenfold/io/text/number_text.hpp"
#include "support/png.hpp"
#include "support/program.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

const std::string columns = " --group g --name n --lat lat --lon lon ";

/// Two interleaved groups, a group of one place, and a name that needs quotes.
const std::string small_table =
    "lat,g,lon,n\n"
    "0,b,0,origin\n"
    "0,a,0,\"comma, place\"\n"
    "0,b,1,one\n"
    "0,c,5,alone\n"
    "0,b,3,three\n"
    "1,a,0,\"say \"\"hi\"\"\"\n"
    "0,b,3.5,threehalf\n";

outcome nearest_of(const scratch_directory& scratch, const std::string& text,
                   const std::string& more = "") {
  return evenfold_run("nearest '" + scratch.write("t.csv", text) + "'" + columns + more);
}

/// The text with each number of more than two decimals rounded to two.
std::string rounded(const std::string& text) {
  static const std::regex number("[0-9]+\\.[0-9]{3,}");
  std::string result;
  std::size_t copied = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), number), end; it != end; ++it) {
    const auto at = static_cast<std::size_t>(it->position());
    char two_decimals[32];
    std::snprintf(two_decimals, sizeof two_decimals, "%.2f", std::stod(it->str()));
    result += text.substr(copied, at - copied) + two_decimals;
    copied = at + static_cast<std::size_t>(it->length());
  }
  return result + text.substr(copied);
}

/// Expects one line on standard error with the position (line 0: the file) and the text, no other
/// output, and no new file.
void expect_fault(const std::string& text, int line, const std::string& what,
                  const std::string& more = "") {
  SCOPED_TRACE(what);
  const scratch_directory scratch;
  const std::string outputs =
      " --output '" + (scratch / "all.csv") + "' --plot '" + (scratch / "map.svg") + "' ";
  const outcome got = nearest_of(scratch, text, outputs + more);
  EXPECT_EQ(got.status, 1);
  EXPECT_EQ(got.out, "");
  const std::string at_line = line == 0 ? "" : ":" + std::to_string(line);
  EXPECT_EQ(got.err, "evenfold: error: " + (scratch / "t.csv") + at_line + ": " + what + "\n");
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"t.csv"});
}

TEST(cli_nearest, table) {
  const scratch_directory scratch;
  const outcome got = nearest_of(scratch, small_table, "--k 2");
  EXPECT_EQ(got.err, "");
  EXPECT_EQ(got.status, 0);
  EXPECT_EQ(got.out,
            "g  n             nearest      mi  2nd        mi\n"
            "─  ────────────  ────────  ─────  ─────  ──────\n"
            "b  origin        one       69.09  three  207.28\n"
            "a  comma, place  say \"hi\"  69.09\n"
            "c  alone\n");
}

TEST(cli_nearest, csv) {
  const scratch_directory scratch;
  const outcome got =
      nearest_of(scratch, small_table, "--k 2 --format csv --per-group 2 --unit km");
  EXPECT_EQ(got.status, 0);
  EXPECT_EQ(rounded(got.out),
            "group,name,n1,d1,n2,d2\n"
            "b,origin,one,111.20,three,333.59\n"
            "b,threehalf,three,55.60,one,277.99\n"
            "a,\"comma, place\",\"say \"\"hi\"\"\",111.20,,\n"
            "a,\"say \"\"hi\"\"\",\"comma, place\",111.20,,\n"
            "c,alone,,,,\n");
}

TEST(cli_nearest, json) {
  const scratch_directory scratch;
  const outcome got = nearest_of(scratch, small_table, "--k 2 --format json");
  EXPECT_EQ(got.status, 0);
  const auto list = nlohmann::ordered_json::parse(rounded(got.out));
  const auto expected = nlohmann::ordered_json::parse(R"([
    {"group": "b", "name": "origin", "n1": "one", "d1": 69.09, "n2": "three", "d2": 207.28},
    {"group": "a", "name": "comma, place", "n1": "say \"hi\"", "d1": 69.09},
    {"group": "c", "name": "alone"}])");
  EXPECT_EQ(list, expected);
  EXPECT_EQ(list.dump(), expected.dump()) << "the keys have an order";
}

TEST(cli_nearest, distances_have_all_their_digits_except_in_tables) {
  const scratch_directory scratch;
  const double miles = earth_radius_miles * great_circle_angle(0, 0, 0, 1);
  std::string digits;
  append_number(digits, miles);
  EXPECT_GT(digits.size(), 14u);
  const std::string table = "g,n,lat,lon\nx,p,0,0\nx,q,0,1\n";
  EXPECT_EQ(nearest_of(scratch, table, "--format csv --output '" + (scratch / "all.csv") + "'").out,
            "group,name,n1,d1,n2,d2,n3,d3\nx,p,q," + digits + ",,,,\n");
  EXPECT_NE(read_back(scratch / "all.csv").find("x,q,p," + digits + ","), std::string::npos);
  const std::string json = nearest_of(scratch, table, "--format json").out;
  EXPECT_EQ(nlohmann::json::parse(json)[0].at("d1").get<double>(), miles);
  EXPECT_NE(nearest_of(scratch, table).out.find(" 69.09\n"), std::string::npos);
}

TEST(cli_nearest, output_holds_every_place_in_order) {
  const scratch_directory scratch;
  const outcome got =
      nearest_of(scratch, small_table, "--k 1 --output '" + (scratch / "all.csv") + "'");
  EXPECT_EQ(got.status, 0) << got.err;
  EXPECT_EQ(rounded(read_back(scratch / "all.csv")),
            "group,name,n1,d1\n"
            "b,three,threehalf,34.55\n"
            "b,threehalf,three,34.55\n"
            "b,origin,one,69.09\n"
            "b,one,origin,69.09\n"
            "a,\"comma, place\",\"say \"\"hi\"\"\",69.09\n"
            "a,\"say \"\"hi\"\"\",\"comma, place\",69.09\n"
            "c,alone,,\n");
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"all.csv", "t.csv"}));
}

TEST(cli_nearest, the_first_of_equally_remote_places_is_reported) {
  const scratch_directory scratch;
  const outcome got = nearest_of(scratch, "g,n,lat,lon\nx,p,0,0\nx,q,0,1\nx,r,0,2\nx,s,0,3\n",
                                 "--k 1 --format csv");
  EXPECT_EQ(rounded(got.out), "group,name,n1,d1\nx,p,q,69.09\n");
}

TEST(cli_nearest, every_device_gives_the_same) {
  const scratch_directory scratch;
  const std::string expected = nearest_of(scratch, small_table).out;
  for (const char* device : {"--device reference", "--device cpu", "--device auto", "--threads 1",
                             "--threads 2", "--threads 5"}) {
    const outcome got = nearest_of(scratch, small_table, device);
    EXPECT_EQ(got.status, 0) << got.err;
    EXPECT_EQ(got.out, expected) << device;
  }
}

TEST(cli_nearest, forms_of_input) {
  const scratch_directory scratch;
  const std::string expected = nearest_of(scratch, small_table).out;
  std::string crlf = "\xEF\xBB\xBF";
  for (const char c : small_table) {
    if (c == '\n') crlf += '\r';
    crlf += c;
  }
  EXPECT_EQ(nearest_of(scratch, crlf).out, expected);
  EXPECT_EQ(nearest_of(scratch, small_table.substr(0, small_table.size() - 1)).out, expected);
  EXPECT_EQ(nearest_of(scratch, gzip(small_table)).out, expected);
  const outcome got =
      evenfold_run("nearest '" + scratch.write("t.csv.gz", gzip(small_table)) + "'" + columns);
  EXPECT_EQ(got.out, expected);
}

TEST(cli_nearest, header_alone) {
  const scratch_directory scratch;
  const outcome got =
      nearest_of(scratch, "g,n,lat,lon\n", "--format csv --plot '" + (scratch / "map.svg") + "'");
  EXPECT_EQ(got.status, 0) << got.err;
  EXPECT_EQ(got.out, "group,name,n1,d1,n2,d2,n3,d3\n");
}

TEST(cli_nearest, bad_data_ends_with_status_1_and_no_files) {
  const std::string head = "g,n,lat,lon\n";
  const std::string latitude = ", expected a latitude in degrees from -90 to 90";
  const std::string longitude = ", expected a longitude in degrees from -180 to 180";
  expect_fault("", 1, "the file is empty, expected a line with the names of the columns");
  expect_fault(
      "g,n,lat,long\n", 1,
      "there is no column 'lon', expected one of 'g', 'n', 'lat', 'long'; did you mean 'long'?");
  expect_fault("g,n,lat,lon,n\n", 1,
               "the columns 2 and 5 are both named 'n', expected different names");
  expect_fault(head + "a,b,1\n", 2, "the record has 3 fields, expected 4 as in the first");
  expect_fault(head + "a,\"b\nc\",1,2\na,b,1,2,3\n", 4,
               "the record has 5 fields, expected 4 as in the first");
  expect_fault(head + "a,b,x,2\n", 2, "'x' in column 'lat' is not a number" + latitude);
  expect_fault(head + "a,b,,2\n", 2, "'' in column 'lat' is empty" + latitude);
  expect_fault(head + "a,b,1,2\na,b,90.01,2\n", 3,
               "'90.01' in column 'lat' is out of range" + latitude);
  expect_fault(head + "a,b,1,-180.5\n", 2, "'-180.5' in column 'lon' is out of range" + longitude);
  expect_fault(head + "a,b,nan,0\n", 2, "'nan' in column 'lat' is not a number" + latitude);
  expect_fault(head + "a,b,1,inf\n", 2, "'inf' in column 'lon' is out of range" + longitude);
  expect_fault(head + "a,\"b,1,2\n", 2,
               "a quoted field begins here and never ends, expected a closing quote");
  expect_fault(gzip(head).substr(0, 12), 0, "the gzip data ends early, expected a whole .gz file");
}

TEST(cli_nearest, files_that_cannot_be_read_or_written) {
  const scratch_directory scratch;
  const std::string missing = scratch / "missing.csv";
  outcome got = evenfold_run("nearest '" + missing + "'" + columns);
  EXPECT_EQ(got.status, 1);
  EXPECT_EQ(got.err, "evenfold: error: " + missing + ": the file does not exist\n");

  got = evenfold_run("nearest '" + (scratch / ".") + "'" + columns);
  EXPECT_EQ(got.status, 1);
  EXPECT_EQ(got.err,
            "evenfold: error: " + (scratch / ".") + ": this is a directory, expected a file\n");

  // The second file cannot be written, so that the first one must not appear either.
  got = nearest_of(
      scratch, small_table,
      "--output '" + (scratch / "all.csv") + "' --plot '" + (scratch / "no/map.svg") + "'");
  EXPECT_EQ(got.status, 1);
  EXPECT_EQ(got.out, "");
  EXPECT_NE(got.err.find("no/map.svg: cannot be written"), std::string::npos) << got.err;
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"t.csv"});
}

TEST(cli_nearest, time_goes_to_standard_error) {
  const scratch_directory scratch;
  const outcome got = nearest_of(scratch, small_table, "--time");
  EXPECT_EQ(got.status, 0);
  EXPECT_EQ(got.out, nearest_of(scratch, small_table).out);
  for (const char* phase : {"read ", "query ", "report ", "total "}) {
    EXPECT_NE(got.err.find(phase), std::string::npos) << phase;
  }
}

TEST(cli_nearest, gpu_in_a_program_without_gpus) {
  const outcome version = evenfold_run("--version");
  if (version.out.find("CUDA") != std::string::npos) GTEST_SKIP() << "this program knows GPUs";
  const scratch_directory scratch;
  const outcome got = nearest_of(scratch, small_table, "--device gpu");
  EXPECT_EQ(got.status, 2);
  EXPECT_NE(got.err.find("built without GPU support"), std::string::npos) << got.err;
}

TEST(cli_nearest, control_characters_in_names_are_escaped) {
  const scratch_directory scratch;
  const outcome got = nearest_of(scratch,
                                 "g,n,lat,lon\nx,\"\x1b[2Jtwo\nlines\",0,0\nx,\xC2\x9B"
                                 "2Jq\x7F,0,1\ny,\x9B"
                                 "2J,0,0\ny,\u00e9\xE2\x82,0,1\n",
                                 "--k 1");
  EXPECT_EQ(got.status, 0) << got.err;
  EXPECT_NE(got.out.find("x  \\x1b[2Jtwo\\nlines  \\x9b2Jq\\x7f  69.09\n"), std::string::npos)
      << got.out;
  EXPECT_NE(got.out.find("y  \\x9b2J "), std::string::npos) << got.out;
  EXPECT_NE(got.out.find(" \u00e9\\xe2\\x82    69.09\n"), std::string::npos) << got.out;
  expect_failure("sort '" + (scratch / "\x1b[2J.csv") + "' --by a", 1,
                 "\\x1b[2J.csv: the file does not exist");
}

TEST(cli_nearest, a_map_of_many_groups) {
  const scratch_directory scratch;
  std::string text = "g,n,lat,lon\n";
  for (int i = 0; i < 20000; ++i) {
    text += "g" + std::to_string(i / 2) + ",place " + std::to_string(i) + "," +
            std::to_string(i * 7919 % 17000 / 100. - 85) + "," +
            std::to_string(i * 104729 % 35900 / 100. - 179) + "\n";
  }
  const std::string map = scratch / "map.svg";
  const outcome got = nearest_of(scratch, text, "--k 1 --format csv --plot '" + map + "'");
  EXPECT_EQ(got.status, 0) << got.err;
  // The most remote place has a label, and most of the others do not, because labels must not
  // overlap.
  const std::string svg = read_back(map);
  const auto labels = [&](const char* weight) {
    std::size_t count = 0;
    for (auto at = svg.find(weight); at != std::string::npos; at = svg.find(weight, at + 1))
      ++count;
    return count;
  };
  EXPECT_GT(labels("font-weight=\"700\""), 5u);
  EXPECT_LT(labels("font-weight=\"700\""), 5000u);
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
}

TEST(cli_nearest, map_is_well_formed_and_escaped) {
  const scratch_directory scratch;
  const std::string map = scratch / "map.svg";
  const outcome got = nearest_of(
      scratch, "g,n,lat,lon\nR&D,<b> & \"\"x,1,179\nR&D,\xFF broken,2,-179\n\"<i>\",c,-3,178\n",
      "--plot '" + map + "'");
  ASSERT_EQ(got.status, 1) << "a quote inside a field";
  const outcome again = nearest_of(
      scratch, "g,n,lat,lon\nR&D,<b> & x,1,179\nR&D,\xFF broken,2,-179\n\"<i>\",c,-3,178\n",
      "--plot '" + map + "' --format json");
  ASSERT_EQ(again.status, 0) << again.err;
  // Bytes that are no text, and letters that the font does not have, can be drawn.
  EXPECT_EQ(nearest_of(scratch, "g,n,lat,lon\nR&D,<b> \xFF,1,179\nR&D,東京 é,2,-179\n",
                       "--plot '" + (scratch / "map.png") + "'")
                .status,
            0);
  EXPECT_GT(read_png(scratch / "map.png").width, 1000u);
  const std::string svg = read_back(map);
  EXPECT_EQ(svg.find("<svg xmlns=\"http://www.w3.org/2000/svg\""), 0u);
  EXPECT_EQ(svg.find("<b>"), std::string::npos);
  EXPECT_EQ(svg.find("\xFF"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_NE(svg.find("&lt;b&gt; &amp; x"), std::string::npos);
  EXPECT_NE(svg.find("R&amp;D"), std::string::npos);
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
  // Lines between places on both sides of 180 degrees do not cross the map.
  EXPECT_TRUE(nlohmann::json::accept(again.out));
}

TEST(cli_nearest, capitals) {
  const outcome got = evenfold_run(
      "nearest '" EVENFOLD_SOURCE_DIR
      "/data/capitals.csv' --group continent --name name --lat latitude --lon longitude --k 1 "
      "--format csv --unit km");
  EXPECT_EQ(got.status, 0) << got.err;
  reference_context ctx;
  const csv_table table = csv_table::read_text(ctx, got.out, "out");
  ASSERT_EQ(table.num_rows(), 6u);
  EXPECT_EQ(table.field(0, 0), "Africa");
  EXPECT_EQ(table.field(5, 0), "South America");
}

TEST(cli_nearest, places_of_the_united_states) {
  const std::string data = shared_data();
  if (data.empty()) GTEST_SKIP() << "no EVENFOLD_DATA and no ../shared/data";
  const scratch_directory scratch;
  const outcome got =
      evenfold_run("nearest '" + data +
                   "/geo/statecity.csv' --group 'ISO31662A2(State)' --name 'ShortName(City)' "
                   "--lat Latitude --lon Longitude --format csv --output '" +
                   (scratch / "all.csv") + "'");
  ASSERT_EQ(got.status, 0) << got.err;
  reference_context ctx;
  const csv_table table = csv_table::read_text(ctx, got.out, "out");
  ASSERT_EQ(table.num_rows(), 52u);
  std::map<std::string, std::string> lines;
  for (std::size_t row = 0; row < 52; ++row) {
    std::string line(table.field(row, 1));
    for (std::size_t c = 2; c < 8; ++c) line += "," + std::string(table.field(row, c));
    lines[std::string(table.field(row, 0))] = line;
  }
  EXPECT_EQ(rounded(lines["AK"]), "Attu Station,Adak,435.04,Atka,527.73,St. Paul,712.48");
  EXPECT_EQ(rounded(lines["TX"]),
            "Van Horn,Sierra Blanca,31.49,Valentine,37.15,Fort Hancock,62.19");
  EXPECT_EQ(lines["DC"], "Washington,,,,,,");

  const csv_table all = csv_table::read_file(ctx, scratch / "all.csv");
  ASSERT_EQ(all.num_rows(), 29510u);
  const auto states = all.texts(ctx, 0);
  double before = 0;
  for (std::size_t row = 0; row < all.num_rows(); ++row) {
    if (row > 0 && states[row] != states[row - 1]) before = 0;
    const std::string last(all.field(row, 7));
    if (last.empty()) continue;
    ASSERT_GE(std::stod(last), before) << "row " << row;
    before = std::stod(last);
  }
}

}  // namespace
}  // namespace evenfold::testing
