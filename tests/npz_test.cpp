// backends: host
// SciPy's sparse .npz files: written matrices are read back in the same format, and every number in
// a file is checked.

#include "evenfold/io/npy/npz_reader.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "evenfold/contexts.hpp"
#include "evenfold/io/npy/npz_writer.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

using namespace std::string_literals;

/// A member of an archive: its name and its bytes.
using member = std::pair<std::string, std::string>;

template <class T>
member array_of(const std::string& name, const std::vector<T>& elements) {
  const auto count = static_cast<std::int64_t>(elements.size());
  return {name + ".npy", detail::npy_header_text(element_type_of<T>(), false, {count}) +
                             std::string(reinterpret_cast<const char*>(elements.data()),
                                         elements.size() * sizeof(T))};
}

member format_of(const std::string& text, const std::string& descr = "|S3") {
  return {"format.npy", detail::npy_header_text(descr, false, {}) + text};
}

std::string archive_of(const std::vector<member>& members, bool compressed = false) {
  detail::zip_writer zip(compressed);
  for (const auto& [name, bytes] : members) zip.add(name, {bytes});
  return zip.finish();
}

/// (0 5 0; 7 0 9)
std::vector<member> small_matrix() {
  return {format_of("csr"), array_of<std::int64_t>("shape", {2, 3}),
          array_of<std::int32_t>("indices", {1, 0, 2}), array_of<std::int32_t>("indptr", {0, 1, 3}),
          array_of<double>("data", {5, 7, 9})};
}

/// The same with one member replaced.
std::vector<member> with(member other) {
  std::vector<member> members = small_matrix();
  for (member& m : members) {
    if (m.first == other.first) m = other;
  }
  return members;
}

struct npz : ::testing::Test {
  cpu_context ctx{2};

  template <class Value = double, class Index = std::int32_t>
  npz_matrix<Value, Index> read(const std::string& archive) {
    return read_npz_sparse<Value, Index>(ctx, npz_arrays(ctx, archive, "m.npz"));
  }

  template <class Value = double, class Index = std::int32_t>
  void expect_refused(const std::string& archive, const std::string& what) {
    try {
      read<Value, Index>(archive);
      ADD_FAILURE() << "accepted, not refused by " << what;
    } catch (const input_error& fault) {
      EXPECT_EQ(std::string(fault.what()), what);
    }
  }
};

template <class T>
std::vector<T> elements(const array<T>& a) {
  return {a.begin(), a.end()};
}

void expect_small(const csr<double>& a) {
  EXPECT_EQ(a.num_rows, 2);
  EXPECT_EQ(a.num_columns, 3);
  EXPECT_EQ(elements(a.row_offsets), (std::vector<std::int32_t>{0, 1, 3}));
  EXPECT_EQ(elements(a.columns), (std::vector<std::int32_t>{1, 0, 2}));
  EXPECT_EQ(elements(a.values), (std::vector<double>{5, 7, 9}));
}

TEST_F(npz, stored_and_deflated) {
  for (const bool compressed : {false, true}) {
    expect_small(std::get<0>(read(archive_of(small_matrix(), compressed))));
  }
}

TEST_F(npz, numbers_of_every_type) {
  for (const member& indices : {array_of<std::int64_t>("indices", {1, 0, 2}),
                                array_of<std::uint8_t>("indices", {1, 0, 2})}) {
    expect_small(std::get<0>(read(archive_of(with(indices)))));
  }
  for (const member& data :
       {array_of<float>("data", {5, 7, 9}), array_of<std::int16_t>("data", {5, 7, 9})}) {
    expect_small(std::get<0>(read(archive_of(with(data)))));
  }
  EXPECT_EQ(elements(std::get<0>(read<std::int64_t>(
                                     archive_of(with(array_of<std::uint8_t>("data", {5, 7, 9})))))
                         .values),
            (std::vector<std::int64_t>{5, 7, 9}));
  EXPECT_TRUE(std::get<0>(read<pattern>(archive_of(small_matrix()))).values.empty());
  // A text may be in UTF-32.
  expect_small(std::get<0>(read(archive_of(with(format_of("c\0\0\0s\0\0\0r\0\0\0"s, "<U3"))))));
}

TEST_F(npz, what_is_written_is_read_back) {
  const scratch_directory scratch;
  const std::string path = scratch / "m.npz";
  const auto rows = std::get<0>(read(archive_of(small_matrix())));
  for (const bool compressed : {false, true}) {
    write_npz_sparse(path, rows.view(), {compressed});
    expect_small(std::get<0>(read_npz_sparse<double>(ctx, path)));
  }
  const std::string bytes = read_back(path);
  write_npz_sparse(path, rows.view(), {true});
  EXPECT_EQ(read_back(path), bytes) << "no time of day";

  // The rows of a matrix are the columns of its transpose.
  write_npz_sparse(path, transposed(rows.view()));
  auto columns = std::get<1>(read_npz_sparse<double>(ctx, path));
  EXPECT_EQ(columns.num_rows, 3);
  expect_small(transposed(std::move(columns)));

  reference_context host;
  coo<pattern, std::int32_t, std::int64_t> entries(host, 4, 4, 2);
  entries.rows[0] = 3, entries.columns[0] = 0;
  entries.rows[1] = 1, entries.columns[1] = 2;
  write_npz_sparse(path, entries.view());
  const npz_arrays arrays(ctx, read_back(path), "m.npz");
  EXPECT_TRUE(arrays.is_pattern());
  const auto again = std::get<2>(read_npz_sparse<pattern>(ctx, arrays));
  EXPECT_EQ(elements(again.rows), (std::vector<std::int32_t>{3, 1}));
  EXPECT_EQ(elements(again.columns), (std::vector<std::int32_t>{0, 2}));
  EXPECT_EQ(elements(std::get<2>(read_npz_sparse<float>(ctx, arrays)).values),
            (std::vector<float>{1, 1}));
}

TEST_F(npz, without_entries) {
  for (const char* format : {"csr", "csc", "coo"}) {
    const std::string archive =
        archive_of({format_of(format), array_of<std::int64_t>("shape", {0, 0}),
                    array_of<std::int32_t>("indices", {}), array_of<std::int32_t>("indptr", {0}),
                    array_of<std::int32_t>("row", {}), array_of<std::int32_t>("col", {}),
                    array_of<double>("data", {})});
    std::visit([](const auto& a) { EXPECT_EQ(a.num_nonzeros + a.num_rows + a.num_columns, 0); },
               read(archive));
  }
  for (const bool compressed : {false, true}) {
    const npz_options options{compressed};
    const std::int32_t offsets[] = {0, 0, 0};
    const csr_view<const double> rows{2, 3, 0, offsets, nullptr, nullptr};
    const auto again = std::get<0>(read(npz_bytes(rows, options)));
    EXPECT_EQ(again.num_columns, 3);
    EXPECT_EQ(elements(again.row_offsets), (std::vector<std::int32_t>{0, 0, 0}));
    const coo_view<const double> entries{2, 3, 0, nullptr, nullptr, nullptr};
    EXPECT_EQ(std::get<2>(read(npz_bytes(entries, options))).num_rows, 2);
  }
}

TEST_F(npz, files_that_are_not_archives) {
  const std::string whole = archive_of(small_matrix(), true);
  expect_refused("PK\3\4",
                 "m.npz:1: the directory at the end of the archive is damaged or missing, expected "
                 "a whole ZIP archive");
  expect_refused(whole.substr(0, whole.size() - 30),
                 "m.npz:1: the directory at the end of the archive is damaged or missing, expected "
                 "a whole ZIP archive");
  std::string damaged = archive_of(small_matrix());
  damaged[damaged.find("indptr.npy") + 80] ^= 1;
  expect_refused(damaged,
                 "m.npz:1: the member 'indptr.npy' is damaged, expected a whole ZIP archive");
  auto members = small_matrix();
  members.pop_back();
  expect_refused(archive_of(members),
                 "m.npz:1: there is no member 'data.npy', expected a sparse matrix as "
                 "scipy.sparse.save_npz writes it");
  expect_refused(archive_of(with(format_of("bsr"))),
                 "m.npz/format.npy:1: the format of the matrix is unknown, expected csr, csc or "
                 "coo; convert it, for example by matrix.tocsr()");
}

TEST_F(npz, more_columns_than_are_plausible) {
  const std::string wide = archive_of(with(array_of<std::int64_t>("shape", {2, 1048577})));
  const npz_arrays arrays(ctx, wide, "m.npz");
  expect_refused(wide,
                 "m.npz/data.npy:1: a matrix of 2 by 1048577 in " + std::to_string(arrays.bytes()) +
                     " bytes, expected at most 1048576 rows or columns in a file of this size; "
                     "trust-sizes accepts more");
  const auto trusted = read_npz_sparse<double>(ctx, arrays, {.trust_sizes = true});
  EXPECT_EQ(std::get<0>(trusted).num_columns, 1048577);
  read(archive_of(with(array_of<std::int64_t>("shape", {2, 1048576}))));
}

TEST_F(npz, members_that_do_not_fit) {
  const auto refused = [&](const member& m, const std::string& what) {
    expect_refused(archive_of(with(m)), "m.npz/" + m.first + ":1: " + what);
  };
  refused(array_of<std::int64_t>("shape", {2, 3, 4}),
          "the shape has 3 extents, expected two: rows and columns");
  refused(array_of<std::int64_t>("shape", {2, -3}),
          "element 1 is -3, expected an integer from 0 to 9223372036854775807");
  refused(array_of<double>("shape", {2, 3}),
          "the elements have the dtype '<f8', expected integers");
  refused(array_of<double>("data", {1, 2}), "the array has 2 elements, expected 3, one per entry");
  refused(array_of<std::int32_t>("indptr", {0, 3}),
          "the array has 2 elements, expected 3, one more than rows");
  refused(array_of<std::int32_t>("indptr", {1, 1, 3}), "the first offset is 1, expected 0");
  refused(array_of<std::int32_t>("indptr", {0, 3, 2}),
          "element 2 is 2 after 3, expected offsets that never decrease");
  refused(array_of<std::int32_t>("indptr", {0, 1, 2}),
          "the last offset is 2, expected 3, the number of entries; matrix.prune() removes unused "
          "elements");
  refused(array_of<std::int32_t>("indptr", {0, 4, 3}),
          "element 1 is 4, expected an integer from 0 to 3");
  refused(array_of<std::int32_t>("indices", {1, 3, 2}),
          "element 1 is 3, expected an integer from 0 to 2");
  refused(array_of<std::int32_t>("indices", {1, 0, -1}),
          "element 2 is -1, expected an integer from 0 to 2");
  refused({"data.npy", detail::npy_header_text("<f8", false, {3, 1}) + std::string(24, '\0')},
          "the array has 2 dimensions, expected one");
  refused({"data.npy", detail::npy_header_text("<f8", false, {1LL << 59})},
          "0 bytes follow the header, expected 4611686018427387904 (size 576460752303423488, 8 "
          "bytes each)");

  expect_refused<std::int32_t>(
      archive_of(small_matrix()),
      "m.npz/data.npy:1: the elements have the dtype '<f8', expected integers");
  expect_refused<double, std::int8_t>(
      archive_of({format_of("coo"), array_of<std::int64_t>("shape", {200, 1}),
                  array_of<std::int64_t>("row", {}), array_of<std::int64_t>("col", {}),
                  array_of<double>("data", {})}),
      "m.npz/data.npy:1: the matrix has 200 rows or columns, expected at most 127, which the type "
      "of their "
      "numbers can count");
}

}  // namespace
}  // namespace evenfold::testing
