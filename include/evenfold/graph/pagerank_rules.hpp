#pragma once
// The enumerations of the options of `pagerank`.

namespace evenfold {

/// Where the surfer goes from a vertex without out-links: to any vertex, to a target of jumps, to
/// the same vertex, or out of the graph.
enum class dangling { evenly, personalize, self, lose };

/// How the change of an iteration is measured: by the sum or the maximum of |r'(v) - r(v)|.
enum class pagerank_change { l1, maximum };

}  // namespace evenfold
