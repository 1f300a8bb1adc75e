#pragma once
// The algorithms whose scaling is measured. A case names two classes, which make the same data from
// the global indices: `single` calls the algorithm on one context, `distributed` on all ranks.
//
// - prepare(): restores what run() overwrites; not timed.
// - run(): the call.
// - result(): what is compared, on the host. That of `distributed` is the part of this rank, which
//   begins at first().
//
// Sums of sparse rows and of segments are those of small integers, which are exact in any order.

#include "bench/scaling/array_cases.hpp"
#include "bench/scaling/graph_cases.hpp"
