// backends: host
// The commands `evenfold sort`, `join`, `search` and `unique`. sqlite_oracle.py compares
// their results on random and real tables with those of SQLite.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/program.hpp"
#include "support/tables.hpp"

namespace evenfold::testing {
namespace {

using cli_table = table_commands;

TEST_F(cli_table, sorts_numbers_as_numbers_and_text_by_bytes) {
  scratch.write("t.csv", "n,x,t\n10,1e1,b\n9,9.5,a\n-1,,B\n,-2,\n9,\" 9.25\",é\n+9,0,A\n");
  EXPECT_EQ(rows("sort @t.csv --by n"),
            "n,x,t\n-1,,B\n9,9.5,a\n9,\" 9.25\",é\n+9,0,A\n10,1e1,b\n,-2,\n");
  EXPECT_EQ(rows("sort @t.csv --by x:desc"),
            "n,x,t\n10,1e1,b\n9,9.5,a\n9,\" 9.25\",é\n+9,0,A\n,-2,\n-1,,B\n");
  EXPECT_EQ(rows("sort @t.csv --by t:asc"),
            "n,x,t\n+9,0,A\n-1,,B\n9,9.5,a\n10,1e1,b\n9,\" 9.25\",é\n,-2,\n");
  EXPECT_EQ(rows("sort @t.csv --by n:desc,x"), rows("sort @t.csv --by 'n:desc , x'"));
  EXPECT_EQ(rows("sort @t.csv --by n:desc,x"),
            "n,x,t\n10,1e1,b\n+9,0,A\n9,\" 9.25\",é\n9,9.5,a\n-1,,B\n,-2,\n");
  // A column with one text is a column of text, and so is one with NaN, which has no position in
  // the order of numbers.
  scratch.write("text.csv", "a,b\n10,10\n9,nan\n8x,9\n");
  EXPECT_EQ(rows("sort @text.csv --by a"), "a,b\n10,10\n8x,9\n9,nan\n");
  EXPECT_EQ(rows("sort @text.csv --by b"), "a,b\n10,10\n8x,9\n9,nan\n");
}

TEST_F(cli_table, reads_numbers_with_few_digits_as_it_reads_others) {
  scratch.write(
      "t.csv",
      "x,k\n0.3,a\n0.30,b\n0.300000000000000000,c\n3e-1,d\n-0.3,e\n.3,f\n+0.3,g\n\" 0.3\",h\n"
      "0.3000000000000001,i\n123456789012.345,j\n123456789012.3450,k\n-7.,l\n-7,m\n");
  EXPECT_EQ(rows("select @t.csv --columns k --header yes"),
            "k\na\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\n");
  const auto those = [&](const std::string& condition) {
    const std::string all = rows("filter @t.csv --where '" + condition + "'");
    std::string keys;
    for (std::size_t at = all.find('\n'); at + 1 < all.size(); at = all.find('\n', at + 1)) {
      keys += all[all.find('\n', at + 1) - 1];
    }
    return keys;
  };
  EXPECT_EQ(those("x = 0.3"), "abcdfgh");
  EXPECT_EQ(those("x = 123456789012.345"), "jk");
  EXPECT_EQ(those("x <= -0.3"), "elm");
  EXPECT_EQ(those("x = -7"), "lm");
  for (const char* text : {"-", "1.2.3", "--1", "1-2", "."}) {
    scratch.write("text.csv", "x\n1\n" + std::string(text) + "\n");
    expect_fault("filter @text.csv --where 'x>0'",
                 "@text.csv:3: '" + std::string(text) +
                     "' in column 'x' is not a number, but --where 'x>0' compares numbers; quote "
                     "its value to compare text, or set --null");
  }
}

TEST_F(cli_table, warns_of_columns_that_a_text_makes_text) {
  const auto warning = [&](const std::string& text, const std::string& more = "") {
    scratch.write("t.csv", "x\n" + text);
    const outcome got = evenfold_run(placed("sort @t.csv --by x" + more));
    EXPECT_EQ(got.status, 0) << got.err;
    return got.err;
  };
  const std::string rest = " so that the column is compared as text; set --null if it is a null\n";
  EXPECT_EQ(warning("10\n9\nNA\n"), placed("evenfold: warning: @t.csv:4: 'NA' in column 'x' is not "
                                           "a number,") +
                                        rest);
  EXPECT_EQ(warning("NA\n9\nNA\n"), placed("evenfold: warning: @t.csv:2: 'NA' in column 'x' is not "
                                           "a number,") +
                                        rest);
  EXPECT_EQ(
      warning("1\n123456789012345678901\n"),
      placed("evenfold: warning: @t.csv:3: '123456789012345678901' in column 'x' does not fit "
             "into 64 bits,") +
          rest);
  EXPECT_EQ(warning("1\n1e400\n"),
            placed("evenfold: warning: @t.csv:3: '1e400' in column 'x' is out "
                   "of the range of a double,") +
                rest);
  EXPECT_EQ(warning("10\n9\nNA\n", ",x:desc"), warning("10\n9\nNA\n"));
  EXPECT_EQ(warning("10\n9\nNA\n", " --null NA"), "");
  EXPECT_EQ(warning("10\n9\nNA\n-\n", " --null NA --null -"), "");
  EXPECT_EQ(warning("10\na\nb\n"), "");
  EXPECT_EQ(warning("a\nb\n"), "");
}

TEST_F(cli_table, compares_all_64_bits) {
  scratch.write("i.csv", "9223372036854775807\n-9223372036854775808\n9223372036854775806\n0\n\n");
  EXPECT_EQ(rows("sort @i.csv --header no --by 1"),
            "-9223372036854775808\n0\n9223372036854775806\n9223372036854775807\n\n");
  EXPECT_EQ(rows("sort @i.csv --header no --by 1:desc"),
            "9223372036854775807\n9223372036854775806\n0\n-9223372036854775808\n\n");
  scratch.write("u.csv", "18446744073709551615\n2\n18446744073709551614\n");
  EXPECT_EQ(rows("sort @u.csv --header no --by 1"),
            "2\n18446744073709551614\n18446744073709551615\n");
  // As doubles these would be equal.
  scratch.write("big.csv", "123456789012345678901\n123456789012345678902\n-1\n");
  EXPECT_EQ(rows("join @big.csv @big.csv --header no --on 1 --count"), "3\n");
  scratch.write("mixed.csv", "18446744073709551615\n18446744073709551614\n-1\n");
  EXPECT_EQ(rows("join @mixed.csv @mixed.csv --header no --on 1 --count"), "3\n");
  EXPECT_EQ(rows("filter @u.csv --header no --where '1>18446744073709551614'"),
            "18446744073709551615\n");
  // Fractions are doubles, however many digits they have before the point.
  scratch.write("d.csv", "12345678901234567890123.0\n9223372036854775808.5\n2\n");
  EXPECT_EQ(rows("sort @d.csv --header no --by 1"),
            "2\n9223372036854775808.5\n12345678901234567890123.0\n");
  EXPECT_EQ(rows("filter @d.csv --header no --where '1<=18446744073709551616.0'"),
            "9223372036854775808.5\n2\n");
}

TEST_F(cli_table, compares_integers_beyond_2_53_with_fractions_exactly) {
  const std::string big =
      "9007199254740993\n9007199254740992\n0.5\n9007199254740994\n9007199254740993\n";
  scratch.write("f.csv", big);
  EXPECT_EQ(rows("unique @f.csv --header no --by 1 --count"),
            "9007199254740993,2\n9007199254740992,1\n0.5,1\n9007199254740994,1\n");
  EXPECT_EQ(rows("sort @f.csv --header no --by 1:desc"),
            "9007199254740994\n9007199254740993\n9007199254740993\n9007199254740992\n0.5\n");
  EXPECT_EQ(rows("join @f.csv @f.csv --header no --on 1 --count"), "7\n");
  scratch.write("up.csv", "0.5\n9007199254740992\n9007199254740993\n9007199254740994\n");
  scratch.write("n.csv", "9007199254740993\n9007199254740992.0\n1e30\n");
  EXPECT_EQ(rows("search @n.csv @up.csv --header no --on 1"),
            "9007199254740993,2,3\n9007199254740992.0,1,2\n1e30,4,4\n");
  EXPECT_EQ(rows("filter @f.csv --header no --where '1>9007199254740992'"),
            "9007199254740993\n9007199254740994\n9007199254740993\n");
  EXPECT_EQ(rows("filter @f.csv --header no --where '1=9007199254740993'"),
            "9007199254740993\n9007199254740993\n");
  EXPECT_EQ(rows("filter @f.csv --header no --where '1>=9007199254740992.0' --where '1!=1e30'"),
            "9007199254740993\n9007199254740992\n9007199254740994\n9007199254740993\n");
  // The least and the largest 64-bit numbers, nulls, and a double between two integers.
  scratch.write("ends.csv",
                "a\n18446744073709551615\n\n-9223372036854775808\n1.8446744073709552e19\n"
                "-9223372036854775807\n18446744073709551614\n-9223372036854775808.0\n");
  EXPECT_EQ(rows("sort @ends.csv --by a"),
            "a\n-9223372036854775808\n-9223372036854775808.0\n-9223372036854775807\n"
            "18446744073709551614\n18446744073709551615\n1.8446744073709552e19\n\n");
  EXPECT_EQ(rows("join @ends.csv @ends.csv --on a --count"), "8\n");
  EXPECT_EQ(rows("filter @ends.csv --where 'a<0'"),
            "a\n-9223372036854775808\n-9223372036854775807\n-9223372036854775808.0\n");
}

TEST_F(cli_table, leaves_every_byte_as_it_was) {
  const std::string plain = "\"q \"\"1\"\"\", b ,+1.50,\"two\nlines\"";
  scratch.write("p.csv", plain + "\r\nz,y,2,w\n");
  EXPECT_EQ(rows("sort @p.csv --header no --by 3"), plain + "\nz,y,2,w\n");
  EXPECT_EQ(rows("sort @p.csv --header no --by 3 --device reference"), plain + "\nz,y,2,w\n");
  // A record of one empty field is kept, and so is a CR that belongs to a field.
  scratch.write("e.csv", "x\nb\n\n\"\"\na\n");
  EXPECT_EQ(rows("sort @e.csv --by x"), "x\n\"\"\na\nb\n\n");
  scratch.write("cr.csv", "k,v\n1,a\r\r\n");
  EXPECT_EQ(rows("sort @cr.csv --by k"), "k,v\n1,a\r\r\n");
}

TEST_F(cli_table, reads_other_dialects) {
  scratch.write("p.csv", "a|b\n2|x,y\n10|NA\n1|\"|\"\n");
  EXPECT_EQ(rows("sort @p.csv --by a --delimiter '|'"), "a|b\n1|\"|\"\n2|x,y\n10|NA\n");
  scratch.write("t.tsv", "a\tb\n2\tx\n1\ty\n");
  EXPECT_EQ(rows("sort @t.tsv --by a --delimiter '\\t'"), "a\tb\n1\ty\n2\tx\n");
  EXPECT_EQ(rows("filter @p.csv --where 'b!=x' --delimiter '|' --null NA"),
            "a|b\n2|x,y\n1|\"|\"\n");
  scratch.write("t.csv.gz", gzip("a\n2\n1\n"));
  EXPECT_EQ(rows("sort @t.csv.gz --by a"), "a\n1\n2\n");
  // Names that contain characters with a meaning in the option.
  scratch.write("n.csv", "\"a,b\",c:desc,d=e\n2,1,x\n1,2,y\n");
  EXPECT_EQ(rows("sort @n.csv --by '\"a,b\"'"), "\"a,b\",c:desc,d=e\n1,2,y\n2,1,x\n");
  EXPECT_EQ(rows("sort @n.csv --by '\"c:desc\":desc'"), "\"a,b\",c:desc,d=e\n1,2,y\n2,1,x\n");
  EXPECT_EQ(rows("filter @n.csv --where '\"d=e\"=y'"), "\"a,b\",c:desc,d=e\n1,2,y\n");
  EXPECT_EQ(rows("join @n.csv @n.csv --on '\"c:desc\"=\"a,b\",\"a,b\"=\"c:desc\"' --count"), "2\n");
  EXPECT_EQ(rows("select @n.csv --columns '\"d=e\",\"c:desc\"-\"d=e\",\"a,b\"-\"c:desc\"'"),
            "d=e,c:desc,d=e_,\"a,b\",c:desc_\nx,1,x,2,1\ny,2,y,1,2\n");
}

TEST_F(cli_table, selects_many_columns) {
  std::string names, numbers;
  for (int i = 0; i < 200000; ++i) {
    names += (i == 0 ? "c" : ",c") + std::to_string(i);
    numbers += i == 0 ? "1" : ",1";
  }
  const std::string table = names + "\n" + numbers + "\n";
  scratch.write("wide.csv", table);
  EXPECT_TRUE(rows("select @wide.csv --columns c0-c199999") == table);
}

TEST_F(cli_table, joins_of_every_kind) {
  scratch.write("l.csv", "id,name,v\n3,c,1\n1,a,2\n,n,3\n1,b,4\n");
  scratch.write("r.csv", "name,id,w\nx,1.0,5\ny,7,6\nz,\"1\",7\nq,,8\n");
  const std::string names = "id,name_left,v,name_right,w\n";
  const std::string inner = "1,a,2,x,5\n1,a,2,z,7\n";
  const std::string of_b = "1,b,4,x,5\n1,b,4,z,7\n";
  EXPECT_EQ(rows("join @l.csv @r.csv --on id"), names + inner + of_b);
  EXPECT_EQ(rows("join @l.csv @r.csv --on id --how left"),
            names + "3,c,1,,\n" + inner + ",n,3,,\n" + of_b);
  EXPECT_EQ(rows("join @l.csv @r.csv --on id --how right"),
            names + inner + of_b + "7,,,y,6\n,,,q,8\n");
  EXPECT_EQ(rows("join @l.csv @r.csv --on id --how full"),
            names + "3,c,1,,\n" + inner + ",n,3,,\n" + of_b + "7,,,y,6\n,,,q,8\n");
  EXPECT_EQ(rows("join @l.csv @r.csv --on id --how semi"), "id,name,v\n1,a,2\n1,b,4\n");
  EXPECT_EQ(rows("join @l.csv @r.csv --on id --how anti"), "id,name,v\n3,c,1\n,n,3\n");
  for (const auto& [how, count] : std::vector<std::pair<std::string, std::string>>{{"inner", "4"},
                                                                                   {"left", "6"},
                                                                                   {"right", "6"},
                                                                                   {"full", "8"},
                                                                                   {"semi", "2"},
                                                                                   {"anti", "2"}}) {
    EXPECT_EQ(rows("join @l.csv @r.csv --on id --count --how " + how), count + "\n");
  }
  // Keys with different names are both written. Nulls are shown as a text.
  EXPECT_EQ(rows("join @l.csv @r.csv --on v=w --how full --null NULL").substr(0, 48),
            "id_left,name_left,v,name_right,id_right,w\n3,c,1,");
}

TEST_F(cli_table, names_that_collide) {
  scratch.write("l.csv", "k,a,a_left\n1,2,3\n");
  scratch.write("r.csv", "k,a,b\n1,4,5\n");
  EXPECT_EQ(rows("join @l.csv @r.csv --on k"), "k,a_left_left,a_left,a_right,b\n1,2,3,4,5\n");
  // A name with an ending may be another name of the same table.
  EXPECT_EQ(rows("join @l.csv @l.csv --on k"),
            "k,a_left_left,a_left_left_left,a_right,a_left_right\n1,2,3,2,3\n");
  scratch.write("c.csv", "count,k\n1,2\n");
  EXPECT_EQ(rows("unique @c.csv --by k --count"), "count,k,count_\n1,2,1\n");
}

TEST_F(cli_table, keys_of_several_columns_and_kinds) {
  scratch.write("l.csv", "year,code\n2001,1\n2001,x\n2002,1\n,1\n");
  scratch.write("r.csv", "y,c,v\n2001.0,x,a\n2001,1.0,b\n2002,1,c\n,1,d\n");
  // `code` is text in one file, so that it is compared as text: 1 and 1.0 differ.
  EXPECT_EQ(rows("join @l.csv @r.csv --on year=y,code=c"),
            "year,code,y,c,v\n2001,x,2001.0,x,a\n2002,1,2002,1,c\n");
  // Keys that are too wide to be packed.
  std::string wide = "a,b,c\n";
  for (int i = 0; i < 100; ++i) {
    wide += std::to_string(i % 3) + "." + std::to_string(i % 7) + "," +
            std::to_string((i % 5) * 1000000000000000000) + ",t" + std::to_string(i % 4) + "\n";
  }
  scratch.write("w.csv", wide);
  EXPECT_EQ(rows("join @w.csv @w.csv --on a,b,c --how semi"), wide);
  EXPECT_EQ(rows("join @w.csv @w.csv --on a,b,c --how anti"), "a,b,c\n");
}

TEST_F(cli_table, unique_keeps_the_first_of_each) {
  scratch.write("t.csv", "a,b\n2,x\n1,y\n,z\n2.0,w\n,v\n1,y\n");
  EXPECT_EQ(rows("unique @t.csv --by a"), "a,b\n2,x\n1,y\n,z\n");
  EXPECT_EQ(rows("unique @t.csv --by a --count"), "a,b,count\n2,x,2\n1,y,2\n,z,2\n");
  EXPECT_EQ(rows("unique @t.csv --by a,b --count"),
            "a,b,count\n2,x,1\n1,y,2\n,z,1\n2.0,w,1\n,v,1\n");
}

TEST_F(cli_table, search_finds_the_positions_of_needles) {
  scratch.write("h.csv", "from,rate\n0,10\n10,20\n10,25\n40,30\n,99\n");
  scratch.write("n.csv", "x,who\n10,a\n-5,b\n39.5,c\n,d\n100,e\n");
  EXPECT_EQ(rows("search @n.csv @h.csv --on x=from"),
            "x,who,lower,upper\n10,a,1,3\n-5,b,0,0\n39.5,c,3,3\n,d,,\n100,e,4,4\n");
  scratch.write("u.csv", "from\n1\n3\n\n2\n");
  expect_fault("search @n.csv @u.csv --on x=from",
               "@u.csv:5: the row is out of order, expected rows sorted by 'from' "
               "(evenfold sort @u.csv --by from)");
}

TEST_F(cli_table, tables_without_rows) {
  scratch.write("e.csv", "a,b\n");
  scratch.write("t.csv", "a,c\n1,2\n");
  EXPECT_EQ(rows("sort @e.csv --by a,b:desc"), "a,b\n");
  EXPECT_EQ(rows("unique @e.csv --by a"), "a,b\n");
  EXPECT_EQ(rows("filter @e.csv --where a=1"), "a,b\n");
  EXPECT_EQ(rows("search @t.csv @e.csv --on a"), "a,c,lower,upper\n1,2,0,0\n");
  EXPECT_EQ(rows("join @e.csv @t.csv --on a --how full"), "a,b,c\n1,,2\n");
  EXPECT_EQ(rows("join @t.csv @e.csv --on a --how anti"), "a,c\n1,2\n");
  EXPECT_EQ(rows("join @e.csv @e.csv --on a --count"), "0\n");
}

TEST_F(cli_table, output_files_appear_whole_or_not_at_all) {
  scratch.write("t.csv", "a\n2\n1\n");
  EXPECT_EQ(rows("sort @t.csv --by a --output @o.csv"), "");
  EXPECT_EQ(read_back(scratch / "o.csv"), "a\n1\n2\n");
  EXPECT_EQ(rows("sort @o.csv --by a:desc --output @t.csv"), "");
  EXPECT_EQ(read_back(scratch / "t.csv"), "a\n2\n1\n");
  EXPECT_EQ(evenfold_run(placed("sort @t.csv --by a --output @none/o.csv")).status, 1);
  scratch.write("bad.csv", "a,b\n1,2\n3\n");
  expect_fault("sort @bad.csv --by a --output @o2.csv",
               "@bad.csv:3: the record has 1 field, expected 2 as in the first");
  expect_fault("join @t.csv @bad.csv --on a",
               "@bad.csv:3: the record has 1 field, expected 2 as in the first");
  expect_fault("sort @t.csv --by a,b", "@t.csv:1: there is no column 'b', expected one of 'a'");
  expect_fault("join @t.csv @none.csv --on a", "@none.csv: the file does not exist");
  scratch.write("semicolons.csv", "a;b\n1;2\n");
  expect_fault("sort @semicolons.csv --by a",
               "@semicolons.csv:1: there is no column 'a', expected one of 'a;b'; is ';' the "
               "delimiter?");
}

TEST_F(cli_table, joins_beyond_any_memory_are_counted_and_refused) {
  std::string ones = "a\n";
  for (int i = 0; i < 1000000; ++i) ones += "1\n";
  scratch.write("t.csv", ones);
  EXPECT_EQ(rows("join @t.csv @t.csv --on a --count"), "1000000000000\n");
  const outcome got = evenfold_run(placed("join @t.csv @t.csv --on a --output @o.csv"));
  EXPECT_EQ(got.status, 1);
  EXPECT_EQ(got.err.find("evenfold: error: the result has 1000000000000 rows"), 0u) << got.err;
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"t.csv"});
}

TEST_F(cli_table, reports_the_time) {
  scratch.write("t.csv", "a\n2\n1\n");
  const outcome got = evenfold_run(placed("sort @t.csv --by a --time"));
  EXPECT_EQ(got.out, "a\n1\n2\n");
  for (const char* phase : {"read ", "keys ", "sort ", "write ", "total "}) {
    EXPECT_NE(got.err.find(phase), std::string::npos) << phase << got.err;
  }
}

TEST_F(cli_table, options_that_make_no_sense) {
  scratch.write("t.csv", "a\n1\n");
  for (const auto& [arguments, part] : std::vector<std::pair<std::string, std::string>>{
           {"sort @t.csv", "--by is required"},
           {"sort @t.csv --by ''", "expected COL[:desc]"},
           {"sort @t.csv --by a,", "a name is missing, expected COL[:desc]"},
           {"sort @t.csv --by '\"a'", "the closing quote is missing"},
           {"sort @t.csv --by '\"a\"b'", "'b' after a closing quote"},
           {"sort @t.csv --by a --delimiter ab", "'ab' is not a delimiter"},
           {"sort @t.csv --by a --format json", "--format"},
           {"join @t.csv @t.csv --on a=b=c", "a pair has more than two columns"},
           {"join @t.csv @t.csv --on a --how outer",
            "--how: 'outer' is unknown, expected one of inner, left, right, full, semi, anti; did "
            "you mean 'full'?"},
           {"join @t.csv @t.csv --on a --how 3", "--how: '3' is unknown, expected one of inner"},
           {"join @t.csv @t.csv --on a --count --output o", "--output"},
           {"filter @t.csv --where a", "at character 2: found the end, expected one of ="},
           {"search @t.csv @t.csv", "--on is required"}}) {
    expect_bad_option(placed(arguments), part);
  }
}

TEST(cli_real_table, every_device_gives_the_same_rows) {
  const std::string data = shared_data() + "/tables/openflights/";
  if (!std::filesystem::exists(data + "routes.dat")) {
    GTEST_SKIP() << "no OpenFlights tables here; set EVENFOLD_DATA to where tables/ is";
  }
  const std::string dialect = " --header no --null '\\N'";
  const std::string routes = "'" + data + "routes.dat' ";
  const std::string airports = "'" + data + "airports.dat' ";
  const auto rows = [&](const std::string& arguments) {
    const outcome got = evenfold_run(arguments + dialect);
    EXPECT_EQ(got.status, 0) << got.err;
    return got.out;
  };
  for (const std::string& command :
       {"sort " + routes + "--by 5,2:desc,8", "unique " + airports + "--by 4 --count",
        "join " + routes + airports + "--on 4=1,3=5 --how full",
        "filter " + airports + "--where '9>5000' --where '4!=Peru'"}) {
    const std::string expected = rows(command + " --device reference");
    EXPECT_GT(expected.size(), 1000u) << command;
    for (const char* device : {" --device auto", " --device cpu --threads 3"}) {
      EXPECT_EQ(rows(command + device), expected) << command << device;
    }
  }

  // Routes whose two airports are known.
  const scratch_directory scratch;
  const std::string known = scratch / "known.csv";
  rows("filter " + routes + "--where '4>0' --where '6>0' --output " + known);
  EXPECT_EQ(rows("join " + known + " " + airports + "--on 4=1 --count"), "66981\n");
  EXPECT_EQ(rows("join " + known + " " + known + " --on 6=4 --count"), "11044995\n");
  EXPECT_EQ(rows("join " + routes + airports + "--on 4=1 --count"), "67180\n");
  EXPECT_EQ(rows("join " + routes + routes + "--on 6=4 --count"), "11078626\n");
}

}  // namespace
}  // namespace evenfold::testing
