// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <random>

#include "stacks/gc_info/gc_reference_map.h"

namespace heapscape::test {
namespace {

using namespace engine;

/// Writes maps as crossgen does (GCRefMapBuilder, src/coreclr/inc/gcrefmap.h).
class MapWriter {
 public:
  MapWriter& token(unsigned value) {
    bits(value, 2);
    return *this;
  }
  MapWriter& number(unsigned value) {
    bits(3, 2);
    do {
      bits(value & 7, 3);
      value >>= 3;
      bits(value != 0, 1);
    } while (value != 0);
    return *this;
  }
  std::vector<std::byte> bytes() const {
    std::vector<std::byte> written;
    std::size_t used = m_bits.size();
    while (used > 0 && !m_bits[used - 1]) --used;
    const std::size_t count = std::max<std::size_t>(1, (used + 6) / 7);
    for (std::size_t i = 0; i < count; ++i) {
      unsigned byte = i + 1 < count ? 0x80 : 0;
      for (std::size_t bit = 0; bit < 7 && 7 * i + bit < used; ++bit) byte |= unsigned{m_bits[7 * i + bit]} << bit;
      written.push_back(static_cast<std::byte>(byte));
    }
    return written;
  }

 private:
  void bits(unsigned value, unsigned count) {
    for (unsigned i = 0; i < count; ++i) m_bits.push_back((value >> i & 1) != 0);
  }
  std::vector<bool> m_bits;
};

using Entries = std::vector<ReferenceMapEntry>;

TEST(ReferenceMap, HasATokenForEachWord) {
  const auto map = MapWriter().token(1).token(0).token(2).token(1).bytes();
  EXPECT_EQ(decodeReferenceMap(map), (Entries{{0, ReferenceMapToken::Reference},
                                              {2, ReferenceMapToken::Interior},
                                              {3, ReferenceMapToken::Reference}}));
}

TEST(ReferenceMap, OfACallWithoutReferencesIsEmpty) {
  EXPECT_EQ(decodeReferenceMap(MapWriter().bytes()), Entries{});
}

TEST(ReferenceMap, SkipsManyWordsAtOnce) {
  // From behind the first register to the first argument on the stack: 12 words.
  const auto map = MapWriter().token(1).number(2 * (12 - 4)).token(1).bytes();
  EXPECT_EQ(decodeReferenceMap(map), (Entries{{0, ReferenceMapToken::Reference}, {13, ReferenceMapToken::Reference}}));
}

TEST(ReferenceMap, NamesTheContextOfSharedCode) {
  const auto map = MapWriter().number(1).number(3).number(5).token(1).bytes();
  EXPECT_EQ(decodeReferenceMap(map), (Entries{{0, ReferenceMapToken::MethodParameter},
                                              {1, ReferenceMapToken::TypeParameter},
                                              {2, ReferenceMapToken::VariableArguments},
                                              {3, ReferenceMapToken::Reference}}));
}

TEST(ReferenceMap, GoesOnOverTheEndsOfBytes) {
  MapWriter writer;
  Entries expected;
  for (std::uint32_t i = 0; i < 50; ++i) {
    writer.token(i % 3 == 0 ? 1 : 2);
    expected.push_back({i, i % 3 == 0 ? ReferenceMapToken::Reference : ReferenceMapToken::Interior});
  }
  EXPECT_EQ(decodeReferenceMap(writer.bytes()), expected);
}

TEST(ReferenceMap, IsRefusedWhereItMakesNoSense) {
  EXPECT_EQ(decodeReferenceMap(MapWriter().number(7).bytes()), std::nullopt) << "a token that there is not";
  EXPECT_EQ(decodeReferenceMap(MapWriter().number(1u << 26).bytes()), std::nullopt) << "a word far behind any stack";
  EXPECT_EQ(decodeReferenceMap(std::vector<std::byte>(64, std::byte{0xff})), std::nullopt) << "a number without end";
}

TEST(ReferenceMap, OfAnyBytesEnds) {
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::vector<std::byte> bytes(random() % 64);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    const auto entries = decodeReferenceMap(bytes);
    EXPECT_LE(entries ? entries->size() : 0, bytes.size() * 4);
  }
}

}  // namespace
}  // namespace heapscape::test
