// backends: host
// The hash of texts is the published function, and texts that collide in other hashes do not
// collide in it.

#include "evenfold/io/text/text_hash.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "evenfold/contexts.hpp"
#include "evenfold/io/text/dictionary.hpp"

namespace evenfold::testing {
namespace {

TEST(text_hash, is_sip_hash) {
  std::string key_bytes, text;
  for (char c = 0; c < 16; ++c) key_bytes += c;
  detail::sip_key key{};
  std::memcpy(&key, key_bytes.data(), sizeof key);
  text = key_bytes.substr(0, 15);
  // The vector of appendix A of the paper, and the first vector of its reference program.
  EXPECT_EQ((detail::sip_hash<2, 4>(key, text)), 0xa129ca6149be45e5u);
  EXPECT_EQ((detail::sip_hash<2, 4>(key, "")), 0x726fdb47dd0e0e31u);
  EXPECT_EQ((detail::sip_hash<1, 3>(key, "")), 0xabac0158050fc4dcu);
}

TEST(text_hash, reads_the_bytes_behind_the_last_whole_word) {
  std::string text;
  for (int size = 0; size < 25; ++size) {
    std::uint64_t expected = 0;
    for (int k = size / 8 * 8; k < size; ++k) expected |= std::uint64_t{0x80u + k} << 8 * (k % 8);
    EXPECT_EQ(detail::last_bytes(text), expected) << size;
    text += static_cast<char>(0x80 + size);
  }
}

TEST(text_hash, is_the_same_for_equal_texts_alone) {
  const std::string text = "a text of some length";
  std::set<std::size_t> hashes;
  for (std::size_t size = 0; size <= text.size(); ++size) {
    hashes.insert(text_hash{}(text.substr(0, size)));
    EXPECT_EQ(text_hash{}(text.substr(0, size)),
              text_hash{}(std::string_view(text).substr(0, size)));
  }
  EXPECT_EQ(hashes.size(), text.size() + 1);
}

/// Texts of 16 bytes with the same std::hash of libstdc++ (MurmurHash64A): the second word cancels
/// the effect of the first.
std::vector<std::string> texts_with_one_hash(std::size_t count) {
  constexpr std::uint64_t factor = 0xc6a4a7935bd1e995;
  const auto mixed = [](std::uint64_t x) { return x ^ (x >> 47); };  // its own inverse
  std::uint64_t inverse = factor;  // modulo 2^64, by Newton's iteration
  for (int i = 0; i < 6; ++i) inverse *= 2 - factor * inverse;
  std::vector<std::string> texts;
  for (std::uint64_t first = 0; texts.size() < count; ++first) {
    const std::uint64_t begun = 0xc70f6907u ^ 16 * factor;
    const std::uint64_t left = (begun ^ mixed(first * factor) * factor) * factor;
    const std::uint64_t second = mixed((left ^ 12345) * inverse) * inverse;
    std::string& text = texts.emplace_back(16, '\0');
    std::memcpy(text.data(), &first, 8);
    std::memcpy(text.data() + 8, &second, 8);
  }
  return texts;
}

TEST(text_hash, has_no_collisions_that_can_be_chosen) {
  const std::vector<std::string> texts = texts_with_one_hash(2000);
  std::set<std::size_t> theirs, ours;
  for (const std::string& text : texts) {
    theirs.insert(std::hash<std::string_view>{}(text));
    ours.insert(text_hash{}(text));
  }
#if defined(__GLIBCXX__)
  EXPECT_EQ(theirs.size(), 1u) << "these texts test nothing";
#endif
  EXPECT_EQ(ours.size(), texts.size());
  cpu_context ctx(2);
  const dictionary found = encode(ctx, texts);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(found.ids[i], static_cast<std::int32_t>(i));
    EXPECT_EQ(found.values[i], texts[i]);
  }
}

}  // namespace
}  // namespace evenfold::testing
