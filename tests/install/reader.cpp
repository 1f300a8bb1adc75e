// A program of a user that reads a file: evenfold::io links zlib and minizip.

#include <cstdio>
#include <evenfold/evenfold.hpp>
#include <evenfold/io/csv/table.hpp>
#include <evenfold/io/npy/npz_reader.hpp>

namespace ef = evenfold;

int main(int argc, char** argv) {
  if (argc < 2) {
    std::puts("usage: reader FILE.csv");
    return 2;
  }
  ef::reference_context ctx;  // files are read on the host
  const auto table = ef::csv_table::read_file(ctx, argv[1]);
  std::printf("%zu rows\n", table.num_rows());
  return table.num_rows() > 0 ? 0 : 1;
}
