#pragma once
// A hash of texts with a random key, so that no input can be constructed to collide.
//
// Method: J.-P. Aumasson and D. J. Bernstein, SipHash: a fast short-input PRF, INDOCRYPT 2012. One
// round per word and three at the end, as in the hash tables of Rust and Python; every process has
// its own random key. std::hash is the same in all processes: a table of n texts that were
// constructed to collide takes O(n^2) steps.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string_view>

namespace evenfold {

namespace detail {

/// 128 random bits.
struct sip_key {
  std::uint64_t low, high;
};

/// The bytes after the last whole word of a text, padded with zeros.
inline std::uint64_t last_bytes(std::string_view text) {
  const std::size_t count = text.size() % 8;
  const char* const end = text.data() + text.size();
  if (count == 0) return 0;
  if (text.size() > 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, end - 8, 8);
    return word >> (64 - 8 * count);
  }
  if (count >= 4) {
    std::uint32_t low = 0, high = 0;
    std::memcpy(&low, text.data(), 4);
    std::memcpy(&high, end - 4, 4);
    return low | std::uint64_t{high} << (8 * count - 32);
  }
  const auto byte = [&](std::size_t k) {
    return std::uint64_t{static_cast<unsigned char>(text[k])} << 8 * k;
  };
  return byte(0) | byte(count / 2) | byte(count - 1);
}

/// SipHash with `WordRounds` rounds per word of 8 bytes and `FinalRounds` at the end.
template <int WordRounds, int FinalRounds>
std::uint64_t sip_hash(const sip_key& key, std::string_view text) {
  static_assert(std::endian::native == std::endian::little,
                "words are read in little-endian order");
  std::uint64_t a = key.low ^ 0x736f6d6570736575, b = key.high ^ 0x646f72616e646f6d,
                c = key.low ^ 0x6c7967656e657261, d = key.high ^ 0x7465646279746573;
  const auto mix = [&](int rounds) {
    for (int round = 0; round < rounds; ++round) {
      a += b;
      b = std::rotl(b, 13) ^ a;
      a = std::rotl(a, 32);
      c += d;
      d = std::rotl(d, 16) ^ c;
      a += d;
      d = std::rotl(d, 21) ^ a;
      c += b;
      b = std::rotl(b, 17) ^ c;
      c = std::rotl(c, 32);
    }
  };
  const auto take = [&](std::uint64_t word) {
    d ^= word;
    mix(WordRounds);
    a ^= word;
  };
  const char* at = text.data();
  std::uint64_t word = 0;
  for (std::size_t left = text.size(); left >= sizeof word; left -= sizeof word) {
    std::memcpy(&word, at, sizeof word);
    at += sizeof word;
    take(word);
  }
  take(last_bytes(text) | std::uint64_t{text.size()} << 56);
  c ^= 0xff;
  mix(FinalRounds);
  return a ^ b ^ c ^ d;
}

}  // namespace detail

/// The hash for hash tables of texts. Equal texts have equal hashes only within one process.
struct text_hash {
  std::size_t operator()(std::string_view text) const {
    static const detail::sip_key key = [] {
      std::random_device random;
      const auto word = [&] { return std::uint64_t{random()} << 32 | random(); };
      return detail::sip_key{word(), word()};
    }();
    return detail::sip_hash<1, 3>(key, text);
  }
};

}  // namespace evenfold
