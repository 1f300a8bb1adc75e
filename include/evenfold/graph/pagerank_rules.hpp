#pragma once
// The choices of `pagerank`.

namespace evenfold {

/// Where the surfer goes from a vertex without out-links: to any vertex, to where the jumps go,
/// nowhere, or out of the graph.
enum class dangling { evenly, personalize, self, lose };

/// How the change of an iteration is measured: the sum of |r'(v) - r(v)|, or the largest of them.
enum class pagerank_change { l1, maximum };

}  // namespace evenfold
