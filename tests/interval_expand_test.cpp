#include "evenfold/algorithm/interval_expand.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

template <class T, class Offset, class Context>
void check_expand(Context& ctx, const segments_of<Offset>& data) {
  const std::vector<T> host = random_values<T>(data.num_segments());
  const array<T> values = to_context(ctx, host);
  const array<Offset> offsets = to_context(ctx, data.offsets);
  array<T> out(ctx, data.count);
  interval_expand(ctx, values.data(), data.count, offsets.data(),
                  static_cast<int>(data.num_segments()), out.data());
  const std::vector<T> got = to_host(ctx, out);
  for (std::int64_t s = 0; s < data.num_segments(); ++s) {
    for (std::int64_t i = data.begin(s); i < data.end(s); ++i) {
      ASSERT_TRUE(got[i] == host[s]) << "item " << i;
    }
  }
}

template <class Context>
class interval_expand_on : public on<Context> {};
TYPED_TEST_SUITE(interval_expand_on, contexts);

TYPED_TEST(interval_expand_on, repeats_the_value_of_every_segment) {
  for (const shape kind : shapes) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    for (const std::int64_t count : {0, 1, 2, 4097, 60000}) {
      check_expand<int>(this->ctx, make_segments<int>(kind, count));
    }
  }
  for (const std::int64_t count : sizes()) {
    check_expand<int>(this->ctx, make_segments<int>(shape::uniform, count));
  }
}

TYPED_TEST(interval_expand_on, values_of_1_to_64_bytes) {
  const segments_of<std::int64_t> data = make_segments<std::int64_t>(shape::power_law, 20000);
  check_expand<std::int8_t>(this->ctx, data);
  check_expand<double>(this->ctx, data);
  check_expand<triple>(this->ctx, data);
  check_expand<wide>(this->ctx, data);
}

}  // namespace
}  // namespace evenfold::testing
