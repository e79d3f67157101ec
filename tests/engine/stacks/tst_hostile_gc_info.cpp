// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <chrono>

#include "stacks/gc_info/gc_info.h"
#include "support/builders/gc_info_builder.h"

namespace heapscape::test {
namespace {

using engine::ErrorCode;
using engine::GcInfo;
using engine::GcInfoBits;
using engine::GcSlotBase;
using engine::Register;
namespace x64 = engine::x64;

engine::Error errorOf(const FileBytes& bytes, unsigned runtime = 10) {
  const auto info = GcInfo::read(GcInfoBits(bytes), gcInfoRulesOf(runtime));
  if (info) throw std::runtime_error("it can be read");
  return info.error();
}

void expectDamaged(const GcInfoSketch& sketch, std::string_view why) {
  const engine::Error error = errorOf(sketch.bytes(), sketch.runtime);
  EXPECT_EQ(error.code, ErrorCode::Damaged);
  EXPECT_NE(error.what.find(why), std::string::npos) << error.what;
}

/// The long form up to behind the head.
BitWriter head(std::uint32_t codeLength) {
  BitWriter out;
  out.flag(true).bits(0, 10).number(codeLength, 8).number(0, 3);
  return out;
}

TEST(HostileGcInfo, IsMissingWhereItEnds) {
  GcInfoSketch sketch{.codeLength = 500};
  sketch.interruptible = {{3, 490}};
  sketch.tracked = {registerSlot(x64::kRbx), stackSlot(GcSlotBase::FrameBase, -8)};
  sketch.lives = {{0, 10, 400}, {1, 5, 80}};
  FileBytes bytes = sketch.bytes();
  ASSERT_TRUE(GcInfo::read(GcInfoBits(bytes), gcInfoRulesOf(10)));
  bytes.resize(bytes.size() - 16);  // what is behind it
  std::size_t lost = 0;
  for (; bytes.size() > 1; bytes.pop_back()) {
    const auto info = GcInfo::read(GcInfoBits(bytes), gcInfoRulesOf(10));
    const auto live = info ? info->liveAtPlace(480) : tl::unexpected(info.error());
    if (live) continue;
    EXPECT_EQ(live.error().code, ErrorCode::NotInDump) << live.error().what;
    ++lost;
  }
  EXPECT_GT(lost, 10u);
}

TEST(HostileGcInfo, HasNoCodeOfAnImpossibleLength) {
  expectDamaged({.codeLength = 0x7fffffff}, "as long as it says");
  EXPECT_NE(errorOf(BitWriter().flag(false).flag(false).number(0, 8).bits(0, 64).bytes()).what.find("as long"),
            std::string::npos);
}

TEST(HostileGcInfo, HasNoUnknownParts) {
  expectDamaged({.flags = 0x2}, "unknown");
  expectDamaged({.runtime = 8, .flags = 0x2}, "unknown");
  expectDamaged({.flags = 0x8}, "unknown");
}

TEST(HostileGcInfo, HasSafePointsInOrderAndInTheCode) {
  for (const auto& safePoints : {std::vector<std::uint32_t>{5, 5}, {9, 4}, {100}, {3, 127}})
    expectDamaged({.codeLength = 100, .safePoints = safePoints}, "out of order");
  EXPECT_NE(errorOf(head(100).number(101, 2).bits(0, 64).bytes()).what.find("too many safe points"), std::string::npos);
  EXPECT_NE(errorOf(head(60'000'000).number(50'000'000, 2).bits(0, 64).bytes()).what.find("too many safe points"),
            std::string::npos);
}

TEST(HostileGcInfo, HasRangesInTheCode) {
  expectDamaged({.codeLength = 100, .interruptible = {{10, 101}}}, "behind the code");
  expectDamaged({.codeLength = 100, .interruptible = {{10, 20}, {0xf0000000, 0xf0000001}}}, "behind the code");
  EXPECT_NE(errorOf(head(100).number(0, 2).number(1 << 20, 1).bits(0, 64).bytes()).what.find("too many interruptible"),
            std::string::npos);
}

TEST(HostileGcInfo, HasSlotsThatCanHoldReferences) {
  expectDamaged({.tracked = {registerSlot(x64::kRsp)}}, "no place");
  expectDamaged({.tracked = {registerSlot(Register{16})}}, "no place");
  expectDamaged({.tracked = {registerSlot(x64::kR15), registerSlot(Register{90})}}, "no place");
  expectDamaged({.untracked = {stackSlot(static_cast<GcSlotBase>(3), 8)}}, "no place");
  expectDamaged({.untracked = {stackSlot(GcSlotBase::StackPointer, INT32_MAX & ~7)}}, "no place");
  // Nothing to count from.
  expectDamaged({.hasFrameBase = false, .untracked = {stackSlot(GcSlotBase::FrameBase, 8)}}, "no place");
  EXPECT_NE(errorOf(head(100)
                        .number(0, 2)
                        .number(0, 1)
                        .flag(false)
                        .flag(true)
                        .number(0xffffffff, 2)
                        .number(0xffffffff, 1)
                        .bits(0, 64)
                        .bytes())
                .what.find("too many slots"),
            std::string::npos);
}

TEST(HostileGcInfo, HasStatesForAsManySlotsAsThereAre) {
  GcInfoSketch sketch{.codeLength = 50, .isFat = false, .safePoints = {20}};
  sketch.tracked = {registerSlot(x64::kRbx), registerSlot(x64::kR12)};
  BitWriter out;
  out.flag(false).flag(false).number(50, 8).number(1, 2).bits(20, 6);
  out.flag(true).number(2, 2).flag(false).number(3, 3).bits(0, 2).number(8, 2);
  for (const bool isTooLong : {false, true}) {
    BitWriter states = out;
    states.flag(true).number(0, 3).bits(0, 1).alignToByte().flag(true).flag(false);
    states.number(1, 4).number(isTooLong ? 100 : 0, 2).bits(0, 64);
    const FileBytes bytes = states.bytes();
    const auto info = GcInfo::read(GcInfoBits(bytes), gcInfoRulesOf(10));
    ASSERT_TRUE(info) << info.error().what;
    EXPECT_EQ(info->liveAtSafePoint(0).has_value(), !isTooLong);
  }
}

TEST(HostileGcInfo, TakesNoTimeToRefuse) {
  // As much as can be asked for: many slots with as many changes as fit, and a long search for a chunk.
  BitWriter out = head(60'000'000);
  out.number(0, 2).number(1, 1).number(0, 6).number(59'999'998, 6);
  out.flag(false).flag(true).number(16'000, 2).number(0, 1);
  for (int i = 0; i < 16'000; ++i) {
    out.bits(1, 2);
    if (i == 0)
      out.signedNumber(0, 6).bits(0, 2);
    else
      out.number(1, 4);
  }
  BitWriter empty = out;
  empty.number(1, 3);
  for (int i = 0; i < 60'000'000 / 64; ++i) empty.bits(0, 1);
  BitWriter full = out;
  full.number(1, 3).bits(1, 1);
  for (int i = 0; i < 2'000'000; ++i) full.bits(0x7fff, 16);
  for (BitWriter* writer : {&empty, &full}) {
    const FileBytes bytes = writer->bits(0, 64).bytes();
    const auto start = std::chrono::steady_clock::now();
    const auto info = GcInfo::read(GcInfoBits(bytes), gcInfoRulesOf(10));
    ASSERT_TRUE(info) << info.error().what;
    (void)info->liveAtPlace(59'999'000);
    (void)info->liveAtPlace(10);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  }
}

}  // namespace
}  // namespace heapscape::test
