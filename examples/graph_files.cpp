// Files of graphs: an edge list with named vertices is read, written as .npz for SciPy, read back,
// and written as an edge list with the same names. Then a faulty file is read, which is refused.

#include <evenfold/evenfold.hpp>
#include <evenfold/io/edge_list/reader.hpp>
#include <evenfold/io/edge_list/writer.hpp>
#include <evenfold/io/npy/npz_reader.hpp>
#include <evenfold/io/npy/npz_writer.hpp>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <variant>

namespace ef = evenfold;

bool round_trip(ef::reference_context& ctx) {
  // The weights are minutes on a train. The vertices are numbered in the order of their names.
  const std::string trains =
      "from,to,minutes\n"
      "Oslo,Bergen,390\n"
      "Bergen,Voss,75\n"
      "Oslo,Hamar,80\n"
      "Voss,Oslo,320\n";
  const ef::edge_list_text text(ctx, trains, "trains.csv");
  const auto list = ef::read_edge_list<float>(ctx, text);
  for (std::int32_t v = 0; v < list.names.size(); ++v) {
    std::printf("vertex %d is %s\n", v, list.names.name(v).c_str());
  }

  const auto folder = std::filesystem::temp_directory_path();
  const std::string matrix = folder / "evenfold_example.npz";
  const std::string edges = folder / "evenfold_example.txt";
  ef::write_npz_sparse(matrix, ef::to_csr(ctx, list.edges.view()).view());
  // The result has the format of the file: scipy.sparse.load_npz would return a csr_matrix.
  const auto rows =
      std::get<0>(ef::read_npz_sparse<float, std::int32_t, std::int64_t>(ctx, matrix));
  ef::write_edge_list(ctx, edges, ef::to_coo(ctx, rows.view()).view(), list.names);
  const auto again = ef::read_edge_list<float>(ctx, edges);
  std::filesystem::remove(matrix);
  std::filesystem::remove(edges);

  const std::int32_t oslo = *again.names.find("Oslo");
  std::printf("%d trains leave Oslo\n",
              static_cast<int>(rows.row_offsets[oslo + 1] - rows.row_offsets[oslo]));
  return list.names.name(2) == "Oslo" && oslo == 2 && again.edges.num_nonzeros == 4 &&
         again.edges.values[0] == 75;
}

bool refusal(ef::reference_context& ctx) {
  try {
    const ef::edge_list_text text(ctx, "# FromNodeId ToNodeId\n30 1412\n30\n", "faulty.txt");
    ef::read_edge_list<ef::pattern>(ctx, text);
    return false;
  } catch (const ef::input_error& fault) {
    std::printf("refused: %s\n", fault.what());
    return fault.line() == 3;
  }
}

int main() {
  try {
    ef::reference_context ctx;
    const bool right = round_trip(ctx) && refusal(ctx);
    std::printf("%s\n", right ? "as expected" : "WRONG");
    return right ? 0 : 1;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 1;
  }
}
