// interval_expand: a run-length encoded sequence is decoded.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const ef::array<char> letters = ef::to_context(ctx, std::vector<char>{'a', 'b', 'n'});
  const ef::array<int> begins = ef::to_context(ctx, std::vector<int>{0, 3, 4});
  ef::array<char> text(ctx, 6);
  ef::interval_expand(ctx, letters.data(), 6, begins.data(), 3, text.data());

  const std::vector<char> result = ef::to_host(ctx, text);
  const std::string decoded(result.begin(), result.end());
  std::printf("%s\n", decoded.c_str());
  return decoded == "aaabnn" ? 0 : 1;
}
