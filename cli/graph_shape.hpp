#pragma once
// How the entries of a file become a graph. Apart from graph_file.hpp, since nvcc need not read the
// readers.

namespace evenfold {
enum class duplicates;
}  // namespace evenfold

namespace evenfold::cli {

struct graph_shape {
  /// Each arc has its opposite ...
  bool undirected = false;
  /// ... which is yet to be made.
  bool symmetrize = false;
  /// What becomes of arcs that occur more than once.
  evenfold::duplicates duplicates{};
};

}  // namespace evenfold::cli
