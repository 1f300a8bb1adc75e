// for_all_indices: a multiplication table. The lambda is called once per element of a matrix, in
// its storage order.

#include <evenfold/evenfold.hpp>

#include <cstdint>
#include <cstdio>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  ef::matrix<int> table(ctx, 9, 9, ef::storage_order::column_major);
  const ef::matrix_view<int> view = table;
  ef::for_all_indices(
      ctx, view, EF_LAMBDA(std::int64_t i, std::int64_t j) {
        view(i, j) = static_cast<int>((i + 1) * (j + 1));
      });

  const ef::matrix<int> result = ef::to_host(ctx, table);
  std::printf("%s", ef::to_text(result.view()).c_str());
  return result(6, 7) == 56 ? 0 : 1;
}
