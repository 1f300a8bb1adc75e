#pragma once
// The kinds of joins.

namespace evenfold {

enum class join_kind { inner, left, right, full, semi, anti };

}  // namespace evenfold
