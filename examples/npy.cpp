// .npy files: `example_npy IN OUT` reads a file of any element type, order, version and byte order,
// and writes its elements. Without arguments, the program writes a file, copies it and checks the
// copy.

#include <evenfold/evenfold.hpp>
#include <evenfold/io/npy/reader.hpp>
#include <evenfold/io/npy/writer.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace ef = evenfold;

/// Writes the elements of a file to another file, with the same number of dimensions.
void copy_npy(const std::string& from, const std::string& to) {
  const ef::npy_file file(from);
  file.visit([&]<class T>(ef::matrix_view<const T> matrix) {
    if (file.shape().size() == 1) {
      ef::write_npy(to, std::span<const T>(matrix.data(), static_cast<std::size_t>(matrix.rows())));
    } else {
      ef::write_npy(to, matrix);
    }
  });
}

bool round_trip() {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  const std::string one = folder / "evenfold_example_1.npy";
  const std::string two = folder / "evenfold_example_2.npy";
  const std::vector<std::int32_t> numbers = {1, 2, 3, 4, 5, 6};
  ef::write_npy(one, ef::matrix_view<const std::int32_t>::column_major(numbers.data(), 2, 3));
  copy_npy(one, two);

  const ef::npy_file file(two);
  const bool right = file.visit([](auto matrix) {
    return matrix.rows() == 2 && matrix.columns() == 3 && matrix(1, 0) == 2 && matrix(0, 2) == 5;
  });
  std::filesystem::remove(one);
  std::filesystem::remove(two);
  return right && file.fortran_order() && file.type() == ef::element_type::int32;
}

int main(int argc, char** argv) {
  try {
    if (argc == 3) {
      copy_npy(argv[1], argv[2]);
      return 0;
    }
    const bool right = round_trip();
    std::printf("a 2 x 3 matrix of int32 was written, copied and read: %s\n",
                right ? "the same" : "WRONG");
    return right ? 0 : 1;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 1;
  }
}
