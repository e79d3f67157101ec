// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "runtime/methods/gc_info_bits.h"
#include "support/builders/gc_info_builder.h"
#include "support/opened_core.h"

namespace heapscape::test {
namespace {

using engine::GcInfoBits;

TEST(GcInfoBits, ReadsNumbersOfAnySize) {
  const std::vector<std::uint32_t> numbers{0, 1, 7, 8, 255, 256, 65'535, 1'000'000, UINT32_MAX};
  const std::vector<std::int32_t> signedNumbers{0, 1, -1, 31, 32, -32, -33, 1000, -1000, INT32_MAX, INT32_MIN};
  for (const unsigned base : {1u, 2u, 3u, 4u, 6u, 8u}) {
    BitWriter out;
    for (const std::uint32_t number : numbers) out.number(number, base);
    for (const std::int32_t number : signedNumbers) out.signedNumber(number, base);
    const FileBytes bytes = out.bytes();
    GcInfoBits bits(bytes);
    for (const std::uint32_t number : numbers) EXPECT_EQ(bits.readUnsigned(base), number) << base;
    for (const std::int32_t number : signedNumbers) EXPECT_EQ(bits.readSigned(base), number) << base;
    EXPECT_FALSE(bits.failed());
    EXPECT_EQ(bits.position(), out.size());
  }
}

TEST(GcInfoBits, GoesOnWhereMemoryIsInPieces) {
  // Neighbours in memory that are none in the file.
  const FileBytes pages = pattern(3 * 4096);
  const auto part = [&](std::size_t start, std::size_t end) {
    return FileBytes(pages.begin() + static_cast<std::ptrdiff_t>(start),
                     pages.begin() + static_cast<std::ptrdiff_t>(end));
  };
  const OpenedCore core(CoreBuilder()
                            .memory(0x12000, part(8192, 12'288))
                            .memory(0x10000, part(0, 4096))
                            .memory(0x11000, part(4096, 8192)));
  GcInfoBits whole{engine::Bytes(pages)};
  GcInfoBits pieces(core.space(), {0x10000});
  for (unsigned i = 0; whole.position() + 32 <= pages.size() * 8; ++i) {
    const unsigned count = i % 33;
    ASSERT_EQ(pieces.read(count), whole.read(count)) << whole.position();
  }
  EXPECT_FALSE(pieces.failed());
  for (std::uint64_t position = (pages.size() - 4) * 8; position > 0;
       position -= std::min<std::uint64_t>(position, 29)) {
    pieces.seek(position);
    whole.seek(position);
    ASSERT_EQ(pieces.read(32), whole.read(32)) << position;
  }
  // Not from its start on: what is in front is not in the dump.
  GcInfoBits cut(core.space(), {0x10000 - 100});
  cut.seek(8 * 100);
  whole.seek(0);
  EXPECT_EQ(cut.read(32), whole.read(32));
}

TEST(GcInfoBits, MissesWhatTheDumpLacks) {
  const OpenedCore core(CoreBuilder().memory(0x10000, FileBytes(4096, std::byte{0xff})));
  GcInfoBits bits(core.space(), {0x10ffe});
  EXPECT_EQ(bits.read(16), 0xffffu);
  EXPECT_FALSE(bits.failed());
  EXPECT_EQ(bits.read(1), 0u);
  EXPECT_TRUE(bits.isMissing());
  EXPECT_EQ(bits.address(), engine::Address{0x11000});
  // What failed once stays so.
  bits.seek(0);
  EXPECT_EQ(bits.read(8), 0u);
  EXPECT_TRUE(bits.failed());
}

TEST(GcInfoBits, TakesNoNumberThatIsTooLarge) {
  for (const unsigned base : {1u, 2u, 6u, 8u}) {
    const FileBytes endless(100, std::byte{0xff});
    GcInfoBits bits{engine::Bytes(endless)};
    EXPECT_EQ(bits.readUnsigned(base), 0u);
    EXPECT_TRUE(bits.failed());
    EXPECT_FALSE(bits.isMissing());
    const FileBytes large = BitWriter().number(1ull << 33, base).bytes();
    GcInfoBits unfit{engine::Bytes(large)};
    EXPECT_EQ(unfit.readSigned(base), 0);
    EXPECT_TRUE(unfit.failed()) << base;
  }
}

}  // namespace
}  // namespace heapscape::test
