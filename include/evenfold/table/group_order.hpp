#pragma once
// group_order: the order of groups.

namespace evenfold {

/// The order of groups: that of their keys, or that of their first rows.
enum class group_order { keys, appearance };

}  // namespace evenfold
