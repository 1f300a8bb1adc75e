// Matrix Market files: `example_matrix_market IN OUT` reads a sparse matrix of any field and
// symmetry, and writes all of its entries. Without arguments, the program writes a small symmetric
// matrix and reads it back. Then it reads a faulty file, which is refused.

#include <evenfold/evenfold.hpp>
#include <evenfold/io/matrix_market/reader.hpp>
#include <evenfold/io/matrix_market/writer.hpp>

#include <complex>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

namespace ef = evenfold;

template <class Value>
void copy_as(ef::reference_context& ctx, const ef::matrix_market_text& from,
             const std::string& to) {
  ef::write_matrix_market(to, ef::read_matrix_market<Value, std::int64_t>(ctx, from).view());
}

/// Reads the values as the type that the header states.
void copy_matrix(ef::reference_context& ctx, const std::string& from, const std::string& to) {
  const ef::file_text file(from);
  const ef::matrix_market_text text(file.text(), from);
  switch (text.header().field) {
    case ef::matrix_market_field::pattern:
      return copy_as<ef::pattern>(ctx, text, to);
    case ef::matrix_market_field::integer:
      return copy_as<std::int64_t>(ctx, text, to);
    case ef::matrix_market_field::real:
      return copy_as<double>(ctx, text, to);
    case ef::matrix_market_field::complex:
      return copy_as<std::complex<double>>(ctx, text, to);
  }
}

bool round_trip(ef::reference_context& ctx) {
  // | 4 1 . |
  // | 1 . 2 |
  // | . 2 . |
  const int rows[] = {0, 0, 1, 1, 2}, columns[] = {0, 1, 0, 2, 1};
  const double values[] = {4, 1, 1, 2, 2};
  const ef::coo_view<const double> a{3, 3, 5, rows, columns, values};
  const std::string path = std::filesystem::temp_directory_path() / "evenfold_example.mtx";
  ef::write_matrix_market(path, a, {ef::matrix_market_symmetry::symmetric});
  const std::uintmax_t bytes = std::filesystem::file_size(path);
  const ef::coo<double> back = ef::read_matrix_market<double>(ctx, path);
  std::filesystem::remove(path);
  std::printf("lower triangle of 5 entries written in %d bytes, %d entries read back\n",
              static_cast<int>(bytes), back.num_nonzeros);
  return back.num_nonzeros == 5 && back.rows[0] == 0 && back.values[0] == 4;
}

bool refusal(ef::reference_context& ctx) {
  const char* const text =
      "%%MatrixMarket matrix coordinate pattern symmetric\n"
      "3 3 2\n"
      "2 1\n"
      "1 3\n";
  try {
    ef::read_matrix_market_text<ef::pattern>(ctx, text, "faulty.mtx");
    return false;
  } catch (const ef::input_error& fault) {
    std::printf("refused: %s\n", fault.what());
    return fault.line() == 4;
  }
}

int main(int argc, char** argv) {
  try {
    ef::reference_context ctx;
    if (argc == 3) {
      copy_matrix(ctx, argv[1], argv[2]);
      return 0;
    }
    const bool right = round_trip(ctx) && refusal(ctx);
    std::printf("%s\n", right ? "as expected" : "WRONG");
    return right ? 0 : 1;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 1;
  }
}
