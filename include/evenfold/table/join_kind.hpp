#pragma once
// The kinds of joins, as `join_count` takes them.

namespace evenfold {

enum class join_kind { inner, left, right, full, semi, anti };

}  // namespace evenfold
