#pragma once
// Everything: contexts, memory, function objects, random numbers and all algorithms.

#include "evenfold/algorithm/fold.hpp"
#include "evenfold/algorithm/fold_invariant.hpp"
#include "evenfold/algorithm/interval_expand.hpp"
#include "evenfold/algorithm/load_balance_search.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/segmented_sort.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/core/random.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/matrix/aggregate.hpp"
