#include "evenfold/algorithm/load_balance_search.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "support/contexts.hpp"
#include "support/shapes.hpp"

namespace evenfold::testing {
namespace {

template <class Offset, class SegmentSize, class Context>
void check_search(Context& ctx, const segments_of<Offset>& data) {
  const array<Offset> offsets = to_context(ctx, data.offsets);
  array<SegmentSize> out(ctx, data.count);
  load_balance_search(ctx, data.count, offsets.data(),
                      static_cast<SegmentSize>(data.num_segments()), out.data());
  const std::vector<SegmentSize> got = to_host(ctx, out);
  for (std::int64_t s = 0; s < data.num_segments(); ++s) {
    for (std::int64_t i = data.begin(s); i < data.end(s); ++i) {
      ASSERT_EQ(static_cast<std::int64_t>(got[i]), s) << "item " << i;
    }
  }
}

template <class Context>
class load_balance_search_on : public on<Context> {};
TYPED_TEST_SUITE(load_balance_search_on, contexts);

TYPED_TEST(load_balance_search_on, finds_the_segment_of_every_item) {
  for (const shape kind : shapes) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    for (const std::int64_t count : {0, 1, 2, 4097, 60000}) {
      check_search<int, int>(this->ctx, make_segments<int>(kind, count));
      check_search<std::uint32_t, std::int64_t>(this->ctx,
                                                make_segments<std::uint32_t>(kind, count));
    }
  }
}

TYPED_TEST(load_balance_search_on, finds_it_at_every_size) {
  for (const std::int64_t count : sizes()) {
    check_search<int, int>(this->ctx, make_segments<int>(shape::uniform, count));
  }
}

}  // namespace
}  // namespace evenfold::testing
