// SPDX-License-Identifier: MIT
#include "fuzz_target.h"
#include "stacks/gc_info/gc_info.h"
#include "support/builders/gc_info_builder.h"

using namespace heapscape;
using engine::GcInfo;
using engine::GcInfoBits;

namespace {

constexpr std::uint32_t kMostPlaces = 64;

void expect(bool isSo) {
  if (!isSo) std::abort();
}

/// What was accepted has to hold together.
void check(const GcInfo& info) {
  const std::size_t tracked = info.slots().tracked().size();
  for (const auto& slot : info.slots().tracked())
    expect(slot.reg != engine::x64::kRsp && slot.reg != engine::arm64::kSp);
  for (const std::uint32_t safePoint : info.safePoints()) expect(safePoint < info.codeLength());
  std::uint32_t places = 0;
  for (const auto& range : info.interruptible()) {
    expect(range.start < range.end && range.end <= info.codeLength());
    expect(info.interruptiblePlaceOf(range.start) == places);
    places += range.end - range.start;
  }
  const auto step = [](std::uint32_t count) { return count / kMostPlaces + 1; };
  const auto safePoints = static_cast<std::uint32_t>(info.safePoints().size());
  for (std::uint32_t i = 0; i < safePoints; i += step(safePoints)) {
    const auto live = info.liveAtSafePoint(i);
    expect(!live || live->size() == tracked);
  }
  for (std::uint32_t place = 0; place < places; place += step(places)) {
    const auto live = info.liveAtPlace(place);
    expect(!live || live->size() == tracked);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const auto architecture : {engine::Architecture::X64, engine::Architecture::Arm64}) {
    for (const unsigned runtime : {8u, 9u, 10u}) {
      const auto rules = test::gcInfoRulesOf(runtime, architecture);
      const auto info = GcInfo::read(GcInfoBits(fuzz::bytesOf(data, size)), rules);
      if (info) check(*info);
    }
  }
  return 0;
}

namespace heapscape::fuzz {

namespace {

using engine::GcSlotBase;
using engine::Register;

/// A method with something of everything.
test::GcInfoSketch largeMethod(unsigned runtime, engine::Architecture architecture) {
  const bool isX64 = architecture == engine::Architecture::X64;
  test::GcInfoSketch sketch{.runtime = runtime,
                            .architecture = architecture,
                            .codeLength = isX64 ? 1000u : 4000u,
                            .flags = runtime < 10 ? 0x1bcu : 0x1b4u,
                            .scratchSlots = 4};
  sketch.interruptible = {{10, 200}, {240, 990}};
  const auto numbered = [&](std::uint8_t number) { return Register{number, architecture}; };
  sketch.tracked = {test::registerSlot(numbered(7), true), test::registerSlot(numbered(0)),
                    test::registerSlot(numbered(3))};
  for (std::int32_t i = 0; i < 40; ++i) sketch.tracked.push_back(test::stackSlot(GcSlotBase::FrameBase, 8 * i - 400));
  sketch.untracked = {test::stackSlot(GcSlotBase::StackPointer, 32, true, true),
                      test::stackSlot(GcSlotBase::CallerStackPointer, -48)};
  for (std::uint32_t i = 0; i < 43; ++i) sketch.lives.push_back({i, 20 * i, 20 * i + 70});
  return sketch;
}

}  // namespace

std::vector<test::FileBytes> seeds() {
  std::vector<test::FileBytes> made;
  constexpr auto kX64 = engine::Architecture::X64;
  constexpr auto kArm64 = engine::Architecture::Arm64;
  for (const auto& [runtime, architecture] :
       {std::pair{8u, kX64}, {9u, kX64}, {10u, kX64}, {9u, kArm64}, {10u, kArm64}}) {
    test::GcInfoSketch sketch = largeMethod(runtime, architecture);
    made.push_back(sketch.bytes());
    sketch.hasRuns = true;
    made.push_back(sketch.bytes());
    sketch.interruptible.clear();
    for (std::uint32_t i = 0; i < 30; ++i) {
      sketch.safePoints.push_back(7 + 31 * i);
      sketch.liveAtSafePoints.push_back({i % 43, i % 20 + 20});
    }
    sketch.isIndirect = true;
    made.push_back(sketch.bytes());
    made.push_back(test::GcInfoSketch{
        .runtime = runtime,
        .architecture = architecture,
        .codeLength = 400,
        .isFat = false,
        .safePoints = {20, 51},
        .tracked = {test::registerSlot(Register{14, architecture})},
        .liveAtSafePoints = {
            {0}, {}}}.bytes());
  }
  made.push_back(test::FileBytes(5000, std::byte{0xff}));
  return made;
}

}  // namespace heapscape::fuzz
