// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "stacks/gc_info/gc_info.h"
#include "support/builders/gc_info_builder.h"

namespace heapscape::test {
namespace {

using engine::GcInfo;
using engine::GcInfoBits;
using engine::GcSlotBase;
using engine::Register;
namespace x64 = engine::x64;

constexpr std::initializer_list<unsigned> kRuntimes{8, 9, 10};

GcInfo read(const FileBytes& bytes, unsigned runtime) {
  auto info = GcInfo::read(GcInfoBits(bytes), gcInfoRulesOf(runtime));
  if (!info) throw std::runtime_error(info.error().message());
  return std::move(*info);
}

std::vector<std::size_t> numbersOf(const engine::Result<std::vector<bool>>& live) {
  if (!live) throw std::runtime_error(live.error().message());
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < live->size(); ++i) {
    if ((*live)[i]) numbers.push_back(i);
  }
  return numbers;
}

void expectEqual(const engine::GcSlot& slot, const engine::GcSlot& expected) {
  EXPECT_EQ(slot.reg, expected.reg);
  EXPECT_EQ(slot.base, expected.base);
  EXPECT_EQ(slot.offset, expected.offset);
  EXPECT_EQ(slot.isInterior, expected.isInterior);
  EXPECT_EQ(slot.isPinned, expected.isPinned);
}

void expectSlots(const GcInfo& info, const GcInfoSketch& sketch) {
  ASSERT_EQ(info.slots().tracked().size(), sketch.tracked.size());
  ASSERT_EQ(info.slots().untracked().size(), sketch.untracked.size());
  for (std::size_t i = 0; i < sketch.tracked.size(); ++i) expectEqual(info.slots().tracked()[i], sketch.tracked[i]);
  for (std::size_t i = 0; i < sketch.untracked.size(); ++i)
    expectEqual(info.slots().untracked()[i], sketch.untracked[i]);
}

/// More slots than fit one group of bits, some with flags, in both directions.
GcInfoSketch manySlots(unsigned runtime) {
  GcInfoSketch sketch{.runtime = runtime, .codeLength = 5000, .scratchSlots = 6};
  sketch.tracked = {registerSlot(x64::kRdi, true), registerSlot(x64::kR8, true), registerSlot(x64::kRax),
                    registerSlot(x64::kRbx), registerSlot(x64::kR15)};
  for (std::int32_t i = 0; i < 60; ++i) sketch.tracked.push_back(stackSlot(GcSlotBase::FrameBase, 16 * i - 4096));
  sketch.untracked = {stackSlot(GcSlotBase::StackPointer, 40, true, true),
                      stackSlot(GcSlotBase::FrameBase, -128, false, true), stackSlot(GcSlotBase::FrameBase, -2000),
                      stackSlot(GcSlotBase::CallerStackPointer, -56), stackSlot(GcSlotBase::FrameBase, 2000)};
  return sketch;
}

TEST(GcInfo, OfArm64CountsInstructionsSinceNet10) {
  constexpr auto kArm64 = engine::Architecture::Arm64;
  for (const unsigned runtime : {9u, 10u}) {
    const std::uint32_t unit = runtime == 9 ? 1 : 4;  // bytes
    for (const bool isFat : {false, true}) {
      GcInfoSketch sketch{
          .runtime = runtime, .architecture = kArm64, .codeLength = 400, .isFat = isFat, .flags = 0x120};
      sketch.safePoints = {12 / unit, 96 / unit, 396 / unit};
      sketch.tracked = {registerSlot(engine::arm64::x(0)), registerSlot(engine::arm64::x(19)),
                        registerSlot(engine::arm64::x(28)), stackSlot(GcSlotBase::FrameBase, 16)};
      sketch.liveAtSafePoints = {{1}, {}, {1, 3}};
      if (isFat) {
        sketch.interruptible = {{100 / unit, 392 / unit}};
        sketch.lives = {{0, 4, 20}, {2, 0, 60}};
      }
      const FileBytes bytes = sketch.bytes();
      const auto info = GcInfo::read(GcInfoBits(bytes), gcInfoRulesOf(runtime, kArm64));
      ASSERT_TRUE(info) << info.error().what;
      EXPECT_EQ(info->codeLength(), 400u);
      EXPECT_EQ(info->frameBase(), engine::arm64::kFp);
      EXPECT_TRUE(info->isReportedByLeafOnly());
      EXPECT_EQ(info->safePoints(), sketch.safePoints);
      expectSlots(*info, sketch);
      EXPECT_EQ(numbersOf(info->liveAtSafePoint(2)), (std::vector<std::size_t>{1, 3}));
      if (!isFat) continue;
      EXPECT_EQ(info->interruptiblePlaceOf(104 / unit), 4u / unit);
      EXPECT_EQ(numbersOf(info->liveAtPlace(4)), (std::vector<std::size_t>{0, 2}));
      EXPECT_EQ(numbersOf(info->liveAtPlace(40)), (std::vector<std::size_t>{2}));
      ASSERT_TRUE(info->contextPlace());
      EXPECT_EQ(info->contextPlace()->from, 12 * unit);
    }
  }
}

TEST(GcInfo, ReadsTheShortForm) {
  for (const unsigned runtime : kRuntimes) {
    for (const bool hasFrameBase : {false, true}) {
      GcInfoSketch sketch{.runtime = runtime, .codeLength = 77, .isFat = false, .hasFrameBase = hasFrameBase};
      sketch.safePoints = {12, 30, 76};
      sketch.tracked = {registerSlot(x64::kRbx), stackSlot(GcSlotBase::StackPointer, 8)};
      sketch.liveAtSafePoints = {{0}, {}, {0, 1}};
      const FileBytes bytes = sketch.bytes();
      const GcInfo info = read(bytes, runtime);
      EXPECT_EQ(info.codeLength(), 77u);
      EXPECT_EQ(info.frameBase(), hasFrameBase ? std::optional(x64::kRbp) : std::nullopt);
      EXPECT_EQ(info.scratchAreaBytes(), 0u);
      EXPECT_FALSE(info.isReportedByLeafOnly());
      EXPECT_EQ(info.safePoints(), sketch.safePoints);
      EXPECT_TRUE(info.interruptible().empty());
      expectSlots(info, sketch);
      EXPECT_EQ(numbersOf(info.liveAtSafePoint(0)), (std::vector<std::size_t>{0}));
      EXPECT_EQ(numbersOf(info.liveAtSafePoint(1)), (std::vector<std::size_t>{}));
      EXPECT_EQ(numbersOf(info.liveAtSafePoint(2)), (std::vector<std::size_t>{0, 1}));
    }
  }
}

TEST(GcInfo, SkipsAllThatTheHeadCanHave) {
  for (const unsigned runtime : kRuntimes) {
    for (const std::uint32_t flags : {0x0u, 0x1u, 0x4u, 0x8u, 0x10u, 0x20u, 0x30u, 0x80u, 0x100u, 0x200u, 0x3b5u}) {
      // The place of the previous stack pointer went with .NET 10.
      GcInfoSketch sketch = manySlots(runtime);
      sketch.flags = runtime >= 10 ? flags & ~0x8u : flags;
      sketch.safePoints = {4999};
      sketch.liveAtSafePoints = {{3, 64}};
      const FileBytes bytes = sketch.bytes();
      const GcInfo info = read(bytes, runtime);
      EXPECT_EQ(info.codeLength(), 5000u);
      EXPECT_EQ(info.frameBase(), x64::kRbp);
      EXPECT_EQ(info.scratchAreaBytes(), 48u);
      EXPECT_EQ(info.isReportedByLeafOnly(), (flags & 0x80) != 0);
      expectSlots(info, sketch);
      EXPECT_EQ(numbersOf(info.liveAtSafePoint(0)), (std::vector<std::size_t>{3, 64})) << flags;
    }
  }
}

TEST(GcInfo, FindsSafePointsAndRanges) {
  GcInfoSketch sketch{.codeLength = 1000};
  sketch.safePoints = {5, 400, 999};
  sketch.interruptible = {{10, 20}, {20, 30}, {100, 101}};
  const FileBytes bytes = sketch.bytes();
  const GcInfo info = read(bytes, 10);
  EXPECT_EQ(info.safePointAt(5), 0u);
  EXPECT_EQ(info.safePointAt(400), 1u);
  EXPECT_EQ(info.safePointAt(999), 2u);
  for (const std::uint32_t offset : {0u, 4u, 6u, 998u, 1000u, UINT32_MAX}) EXPECT_FALSE(info.safePointAt(offset));
  EXPECT_EQ(info.interruptiblePlaceOf(10), 0u);
  EXPECT_EQ(info.interruptiblePlaceOf(19), 9u);
  EXPECT_EQ(info.interruptiblePlaceOf(20), 10u);
  EXPECT_EQ(info.interruptiblePlaceOf(100), 20u);
  for (const std::uint32_t offset : {0u, 9u, 30u, 99u, 101u, UINT32_MAX})
    EXPECT_FALSE(info.interruptiblePlaceOf(offset));
}

TEST(GcInfo, TellsLiveSlotsOfSafePointsHoweverTheyAreWritten) {
  for (const unsigned runtime : kRuntimes) {
    GcInfoSketch sketch = manySlots(runtime);
    for (std::uint32_t i = 0; i < 65; ++i) {
      sketch.safePoints.push_back(3 + 50 * i);
      sketch.liveAtSafePoints.push_back(i % 7 == 0 ? std::vector<std::size_t>{} : std::vector<std::size_t>{0});
      for (std::size_t slot = i; slot < 65; slot += i + 1) sketch.liveAtSafePoints.back().push_back(slot);
    }
    for (auto& live : sketch.liveAtSafePoints) {
      std::ranges::sort(live);
      live.erase(std::unique(live.begin(), live.end()), live.end());
    }
    for (const auto& [isIndirect, hasRuns] : {std::pair{false, false}, {true, false}, {true, true}}) {
      sketch.isIndirect = isIndirect;
      sketch.hasRuns = hasRuns;
      const FileBytes bytes = sketch.bytes();
      const GcInfo info = read(bytes, runtime);
      for (std::uint32_t i = 0; i < 65; ++i)
        EXPECT_EQ(numbersOf(info.liveAtSafePoint(i)), sketch.liveAtSafePoints[i]) << i << isIndirect << hasRuns;
    }
  }
}

TEST(GcInfo, TellsLiveSlotsAtEveryInterruptibleInstruction) {
  for (const unsigned runtime : kRuntimes) {
    GcInfoSketch sketch = manySlots(runtime);
    sketch.interruptible = {{12, 30}, {64, 500}, {600, 601}, {700, 1000}};
    constexpr std::uint32_t kPlaces = 18 + 436 + 1 + 300;
    // Short ones, one over several chunks, some that begin or end with a chunk, two lives of one slot.
    sketch.lives = {{0, 0, 1},  {1, 0, kPlaces}, {2, 64, 128},      {3, 127, 129},
                    {4, 5, 60}, {4, 61, 63},     {64, 700, kPlaces}};
    for (std::uint32_t i = 5; i < 40; ++i) sketch.lives.push_back({i, 3 * i, 7 * i});
    for (const bool hasRuns : {false, true}) {
      sketch.hasRuns = hasRuns;
      const FileBytes bytes = sketch.bytes();
      const GcInfo info = read(bytes, runtime);
      for (std::uint32_t place = 0; place < kPlaces; ++place) {
        std::vector<std::size_t> expected;
        for (std::size_t slot = 0; slot < sketch.tracked.size(); ++slot) {
          if (std::ranges::any_of(sketch.lives, [&](const auto& life) {
                return life.slot == slot && life.start <= place && place < life.end;
              }))
            expected.push_back(slot);
        }
        ASSERT_EQ(numbersOf(info.liveAtPlace(place)), expected) << place << hasRuns;
      }
    }
  }
}

TEST(GcInfo, ReadsRunsThatAreExpectedToBeOfLiveSlots) {
  // The first bit says which runs are written in larger groups of bits: here those of live slots.
  BitWriter out;
  out.flag(false).flag(false).number(50, 8);  // short form of .NET 10
  out.number(1, 2).bits(20, 6);               // a safe point
  out.flag(false).flag(true).number(9, 2).number(0, 1);
  for (int i = 0; i < 9; ++i) {
    out.bits(1, 2);
    if (i == 0)
      out.signedNumber(2, 6).bits(0, 2);
    else
      out.number(1, 4);
  }
  out.flag(true).number(0, 3).bits(0, 1).alignToByte();
  out.flag(true).flag(true).number(1, 2).number(5, 4).number(1, 2);  // 1 dead, 6 live, 2 dead
  const FileBytes bytes = out.alignToByte().bytes();
  EXPECT_EQ(numbersOf(read(bytes, 10).liveAtSafePoint(0)), (std::vector<std::size_t>{1, 2, 3, 4, 5, 6}));
}

TEST(GcInfo, KnowsTheRulesOfEachVersion) {
  const auto rules = [](unsigned runtime) { return gcInfoRulesOf(runtime); };
  for (const unsigned runtime : {8u, 9u}) {
    EXPECT_TRUE(rules(runtime).hasReturnKind && rules(runtime).hasPspSym);
    EXPECT_EQ(rules(runtime).safePointBias, -1);
  }
  EXPECT_FALSE(rules(10).hasReturnKind || rules(10).hasPspSym);
  EXPECT_EQ(rules(10).safePointBias, 0);
  EXPECT_EQ(rules(8).abortedBias, -1);
  EXPECT_EQ(rules(9).abortedBias, 0);
  EXPECT_EQ(rules(10).abortedBias, 0);
  EXPECT_FALSE(rules(8).scratchAtSafePoint);
  EXPECT_TRUE(rules(9).scratchAtSafePoint && rules(10).scratchAtSafePoint);
}

}  // namespace
}  // namespace heapscape::test
