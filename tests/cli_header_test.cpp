// backends: host
// The option --header of all commands that read CSV or edge lists: what `auto` decides, and when it
// warns.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/program.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

class cli_header : public ::testing::Test {
 protected:
  /// Runs a command in which @ stands for the file.
  outcome run(const std::string& arguments, const std::string& file) const {
    std::string text;
    for (const char c : arguments) text += c == '@' ? file : std::string(1, c);
    const outcome got = evenfold_run(text);
    EXPECT_EQ(got.status, 0) << text << got.err;
    return got;
  }
  /// The output of a command that is certain of the header.
  std::string certain(const std::string& arguments, const std::string& file) const {
    const outcome got = run(arguments, file);
    EXPECT_EQ(got.err, "") << arguments;
    return got.out;
  }
  /// The output of a command that guesses. The warning names the option that gives the same output
  /// without a warning.
  std::string guessed(const std::string& arguments, const std::string& file, bool names) const {
    const outcome got = run(arguments, file);
    EXPECT_EQ(got.err.find("evenfold: warning: " + file + ": the first line was read as " +
                           (names ? "the names of the columns" : "data")),
              0u)
        << arguments << got.err;
    EXPECT_EQ(std::count(got.err.begin(), got.err.end(), '\n'), 1) << got.err;
    EXPECT_EQ(certain(arguments + (names ? " --header yes" : " --header no"), file), got.out);
    EXPECT_NE(run(arguments + (names ? " --header no" : " --header yes"), file).out, got.out);
    return got.out;
  }

  scratch_directory scratch;
};

TEST_F(cli_header, years_are_not_summed_in_silence) {
  const std::string years = scratch.write("years.csv", "2019,2020,2021\n1,2,3\n");
  EXPECT_EQ(guessed("aggregate @ --op sum --format csv", years, false), "sum\n6066\n");
  EXPECT_EQ(certain("aggregate @ --op sum --format csv --header yes", years), "sum\n6\n");
  EXPECT_EQ(certain("aggregate @ --op sum --column 2020 --format csv", years), "sum\n2\n");
  guessed("histogram @ --bins 2 --format csv", years, false);
  guessed("fold @ --op max --format json", years, false);
  // One warning for each file.
  const std::string others = scratch.write("others.csv", "2019,2020,2021\n1,2,3\n");
  const outcome two = run("dot @ " + others + " --format csv", years);
  EXPECT_EQ(std::count(two.err.begin(), two.err.end(), '\n'), 2) << two.err;
  const outcome same = run("dot @ @ --format csv", years);
  EXPECT_EQ(std::count(same.err.begin(), same.err.end(), '\n'), 1) << same.err;
  const std::string named = scratch.write("named.csv", "x,y\n1,2\n3,4\n");
  EXPECT_EQ(certain("aggregate @ --op sum --format csv", named), "sum\n10\n");
}

TEST_F(cli_header, first_edges_and_names_of_columns) {
  const std::string words = scratch.write("words.txt", "src\tdst\n1\t2\n2\t3\n");
  EXPECT_NE(certain("info @ --format json", words).find("\"stored_edges\": 2"), std::string::npos);
  const std::string numbers = scratch.write("numbers.txt", "1 2\n2 3\n");
  EXPECT_NE(certain("info @ --format json", numbers).find("\"stored_edges\": 2"),
            std::string::npos);
  const std::string people = scratch.write("people.csv", "alice,bob\nbob,carol\n");
  EXPECT_NE(guessed("info @ --format json", people, true).find("\"stored_edges\": 1"),
            std::string::npos);
  EXPECT_NE(certain("info @ --header no --format json", people).find("\"stored_edges\": 2"),
            std::string::npos);
  const std::string friends = scratch.write("friends.txt", "alice bob\nbob carol\n");
  EXPECT_NE(guessed("info @ --format json", friends, false).find("\"stored_edges\": 2"),
            std::string::npos);
  certain("bfs @ --columns alice,bob --source bob", people);
  certain("info @", scratch.write("nobody.txt", "# nobody\n"));
}

TEST_F(cli_header, tables_and_places) {
  const std::string table = scratch.write("t.csv", "who,where\nbo,here\nal,there\n");
  EXPECT_EQ(certain("sort @ --by who", table), "who,where\nal,there\nbo,here\n");
  EXPECT_EQ(certain("sort @ --by 1 --header no", table), "al,there\nbo,here\nwho,where\n");
  const std::string rows = scratch.write("r.csv", "2,1\n1,a\n1,b\n");
  EXPECT_EQ(guessed("unique @ --by 2", rows, false), "2,1\n1,a\n1,b\n");
  // The rule is applied to each file separately. Columns without a name are called by their
  // numbers.
  EXPECT_EQ(certain("join @ '" + rows + "' --header no --on 1 --how anti", table),
            "who,where\nbo,here\nal,there\n");
  const std::string left = scratch.write("l.csv", "k,v\n1,x\n");
  const outcome joined = run("join @ '" + rows + "' --on k=1", left);
  EXPECT_EQ(joined.out, "k,v,1,2\n1,x,1,a\n1,x,1,b\n");
  EXPECT_NE(
      joined.err.find("r.csv: the first line was read as data, since it contains only numbers"),
      std::string::npos);
  const std::string places = scratch.write("p.csv", "x,a,1,2\nx,b,1,3\n");
  const std::string columns = " --group 1 --name 2 --lat 3 --lon 4 --k 1";
  EXPECT_NE(run("nearest @" + columns + " --header no", places).out.find("69.08"),
            std::string::npos);
}

TEST_F(cli_header, no_edge_is_a_header_in_silence) {
  const std::string mixed = scratch.write("mixed.txt", "a 1\n2 3\n4 5\n");
  EXPECT_NE(guessed("info @ --format json", mixed, true).find("\"stored_edges\": 2"),
            std::string::npos);
  const std::string year = scratch.write("year.csv", "from,to,2019\nann,bob,5\n");
  EXPECT_NE(guessed("info @ --format json", year, false).find("\"stored_edges\": 2"),
            std::string::npos);
}

TEST_F(cli_header, other_forms_of_csv) {
  const std::string file = scratch.write("f.csv", "a;b\n1;2\nNA;3\n4;NA\n");
  const std::string form = " --delimiter ';' --null NA --format csv";
  EXPECT_EQ(certain("aggregate @ --op sum --column a" + form, file), "sum\n5\n");
  EXPECT_EQ(certain("aggregate @ --op sum,max --axis columns" + form, file),
            "column,sum,max\na,1,1\nb,2,2\n");
  EXPECT_EQ(certain("fold @ --op max --column b" + form, file).find("tiled,max,int64,2,3"), 29u);
  EXPECT_EQ(certain("histogram @ --column a --weights b --edges 0,2,5" + form, file),
            "low,high,weight\n-inf,0,0\n0,2,2\n2,5,0\n5,inf,0\nnan,nan,0\n");
  expect_failure("aggregate '" + file + "' --op argmax --column a" + form, 1,
                 ":3: the field in column 'a' is null, expected a number in every row");
  expect_failure(
      "aggregate '" + file + "' --op sum --column a --delimiter ';'", 1,
      "is not a number, expected a number in every row; --null NA leaves out rows with NA, "
      "--null '' rows with empty fields");
  const std::string plain = scratch.write("p.csv", "1;2\n3;4\n");
  EXPECT_EQ(certain("aggregate @ --op sum --no-header --delimiter ';' --format csv", plain),
            "sum\n10\n");
  EXPECT_EQ(certain("dot @ @ --column 1,2 --no-header --delimiter ';' --format csv", plain),
            "type,count,value\nint64,2,14\n");
  EXPECT_EQ(certain("sort @ --by 2:desc --no-header --delimiter ';'", plain), "3;4\n1;2\n");
  EXPECT_NE(certain("info @ --no-header --delimiter ';' --format json", plain)
                .find("\"stored_edges\": 2"),
            std::string::npos);
  const std::string places =
      scratch.write("g.csv", "g;n;y;x\na;p;0;0\na;q;0;1\na;NA;0;2\na;s;NA;3\n");
  EXPECT_EQ(certain("nearest @ --group g --name n --lat y --lon x --k 3 --delimiter ';' --null NA "
                    "--format csv",
                    places)
                .substr(0, 36),
            "group,name,n1,d1,n2,d2,n3,d3\na,p,q,6");
}

TEST_F(cli_header, what_makes_no_sense) {
  expect_bad_option("sort t.csv --by a --header no --no-header",
                    "--header cannot be used together with --no-header");
  expect_bad_option("sort t.csv --by a --header maybe",
                    "--header: 'maybe' is unknown, expected one of yes, no, auto");
}

}  // namespace
}  // namespace evenfold::testing
