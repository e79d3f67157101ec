// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <set>

#include "stacks/gc_info/frame_roots.h"
#include "support/builders/gc_info_builder.h"
#include "support/builders/runtime_in_memory.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::FrameRoots;
using engine::GcSlotBase;
using engine::ManagedFrame;
using engine::Register;
namespace x64 = engine::x64;

constexpr Address kImage{0x400000};
constexpr std::uint32_t kMethod = 0x1000;      // in the image
constexpr std::uint32_t kUnwindInfo = 0x8000;  // in the image
constexpr std::uint8_t kPrologBytes = 11;
constexpr Address kGcInfo{0x500ff8};  // reaches over the end of a page
constexpr Address kFrameRootsStack{0x700000};
constexpr std::size_t kStackBytes = 0x2000;
constexpr Address kStackPointer{0x700100};
constexpr Address kFrameBase{0x700200};
constexpr Address kCallerStackPointer{0x700300};
constexpr std::uint64_t kObjects = 0x10000000;

/// What the word at a place of the stack holds: its own name, as it were.
Address objectAt(Address place) {
  return {kObjects + (place - kFrameRootsStack)};
}

/// A method that stands somewhere, in a runtime of one version.
class StoppedMethod {
 public:
  StoppedMethod(const GcInfoSketch& sketch, std::uint32_t offset)
      : StoppedMethod(sketch.runtime, sketch.bytes(), offset) {}
  StoppedMethod(unsigned runtime, const FileBytes& gcInfo, std::uint32_t offset)
      : m_runtimeVersion(runtime), m_gcInfo(gcInfo) {
    frame.code = {.methodDesc = {0x1}, .start = kImage + kMethod, .state = engine::MethodState::Jitted};
    frame.code.imageBase = kImage;
    frame.code.function = {kMethod, kMethod + 5000, kUnwindInfo};
    frame.code.gcInfo = kGcInfo;
    for (std::size_t i = 0; i < engine::registerFile(engine::Architecture::X64).count(); ++i) {
      frame.registers.values[i] = kObjects + 0x100000 + i;
      frame.registers.savedAt[i] = kFrameRootsStack + 8 * i;
    }
    frame.registers[x64::kRsp] = kStackPointer.value;
    frame.registers[x64::kRbp] = kFrameBase.value;
    frame.registers.known = ~std::uint32_t{0};
    frame.registers.instruction = frame.code.start + offset;
    frame.callerStackPointer = kCallerStackPointer;
  }

  /// Makes a word of the stack null.
  void clear(Address place) { m_cleared.insert(place); }
  void forgetGcInfo() { m_hasGcInfo = false; }

  FrameRoots roots(bool isParentOfFunclet = false) const {
    const engine::ClrRuntime runtime = runtimeInMemory(m_runtimeVersion, build());
    return engine::ManagedFrameRoots(runtime).of(frame, isParentOfFunclet);
  }

  ManagedFrame frame;

 private:
  CoreBuilder build() const {
    CoreBuilder builder;
    FileBytes stack(kStackBytes);
    for (std::size_t at = 0; at < kStackBytes; at += 8) {
      const std::uint64_t value = m_cleared.contains(kFrameRootsStack + at) ? 0 : objectAt(kFrameRootsStack + at).value;
      std::memcpy(stack.data() + at, &value, sizeof(value));
    }
    builder.memory(kFrameRootsStack.value, stack);
    FileBytes unwindInfo(4096);
    unwindInfo[1] = std::byte{kPrologBytes};
    builder.memory(kImage.value + kUnwindInfo, unwindInfo);
    if (!m_hasGcInfo) return builder;
    const auto middle = m_gcInfo.begin() + 8;
    FileBytes first(4096 - 8);
    first.insert(first.end(), m_gcInfo.begin(), middle);
    FileBytes second(middle, m_gcInfo.end());
    builder.memory(kGcInfo.value + 8, second);
    builder.memory(kGcInfo.value + 8 - 4096, first);
    return builder;
  }

  unsigned m_runtimeVersion;
  FileBytes m_gcInfo;
  bool m_hasGcInfo = true;
  std::set<Address> m_cleared;
};

using Objects = std::set<Address>;
Objects distinctObjectsOf(const FrameRoots& found) {
  Objects objects;
  for (const auto& root : found.roots) objects.insert(root.object);
  EXPECT_EQ(objects.size(), found.roots.size());
  return objects;
}

Address inRegister(Register reg) {
  return {kObjects + 0x100000 + reg.number};
}

constexpr Address kLocal = kFrameBase - 8;
constexpr Address kUntracked = kFrameBase - 16;
constexpr Address kOutgoing = kStackPointer;  // argument of a call, belongs to the called method

/// A register that calls keep and one that they do not, a local, an argument of a call; one call, behind which offset
/// 50 comes.
GcInfoSketch partlyInterruptible(unsigned runtime) {
  GcInfoSketch sketch{.runtime = runtime, .codeLength = 200, .scratchSlots = 2};
  sketch.tracked = {registerSlot(x64::kRax), registerSlot(x64::kRbx), stackSlot(GcSlotBase::FrameBase, -8),
                    stackSlot(GcSlotBase::StackPointer, 0)};
  sketch.untracked = {stackSlot(GcSlotBase::FrameBase, -16)};
  sketch.safePoints = {runtime >= 10 ? 50u : 49u};
  sketch.liveAtSafePoints = {{0, 1, 2, 3}};
  return sketch;
}

/// Can be interrupted from offset 20 to 180; rbx is live up to 100, rdx and r12 from there on.
GcInfoSketch fullyInterruptible(unsigned runtime) {
  GcInfoSketch sketch{.runtime = runtime, .codeLength = 200};
  sketch.tracked = {registerSlot(x64::kRdx), registerSlot(x64::kRbx), registerSlot(x64::kR12)};
  sketch.interruptible = {{20, 180}};
  sketch.lives = {{0, 80, 160}, {1, 0, 80}, {2, 80, 160}};
  sketch.untracked = {stackSlot(GcSlotBase::FrameBase, -16)};
  return sketch;
}

class FrameRootsOf : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Net, FrameRootsOf, testing::Values(8u, 9u, 10u, 11u), testing::PrintToStringParamName());

TEST_P(FrameRootsOf, ACallAreWhatTheCalledMethodKeeps) {
  const FrameRoots found = StoppedMethod(partlyInterruptible(GetParam()), 50).roots();
  EXPECT_EQ(found.problem, "");
  EXPECT_EQ(distinctObjectsOf(found), (Objects{inRegister(x64::kRbx), objectAt(kLocal), objectAt(kUntracked)}));
  for (const auto& root : found.roots) {
    EXPECT_FALSE(root.isInterior || root.isPinned);
    if (root.reg)
      EXPECT_EQ(root.slot, kFrameRootsStack + 8 * root.reg->number);
    else
      EXPECT_EQ(objectAt(root.slot), root.object);
  }
}

TEST_P(FrameRootsOf, AMethodThatRunsBehindACallAreAlsoWhatWasReturned) {
  StoppedMethod method(partlyInterruptible(GetParam()), 50);
  method.frame.isFirst = true;
  const FrameRoots found = method.roots();
  Objects expected{inRegister(x64::kRbx), objectAt(kLocal), objectAt(kUntracked)};
  if (GetParam() > 8) expected.insert({inRegister(x64::kRax), objectAt(kOutgoing)});
  EXPECT_EQ(distinctObjectsOf(found), expected);
  // .NET 8 does not tell.
  EXPECT_EQ(found.problem.empty(), GetParam() > 8);
  EXPECT_FALSE(found.isMissing);
}

TEST_P(FrameRootsOf, AMethodThatRunsAreToldWhereItCanBeInterrupted) {
  for (const auto& [offset, expected] : {std::pair{20u, Objects{inRegister(x64::kRbx)}},
                                         {99u, {inRegister(x64::kRbx)}},
                                         {100u, {inRegister(x64::kR12), inRegister(x64::kRdx)}},
                                         {179u, {inRegister(x64::kR12), inRegister(x64::kRdx)}}}) {
    StoppedMethod method(fullyInterruptible(GetParam()), offset);
    method.frame.isFirst = true;
    const FrameRoots found = method.roots();
    EXPECT_EQ(found.problem, "");
    Objects all = expected;
    all.insert(objectAt(kUntracked));
    EXPECT_EQ(distinctObjectsOf(found), all) << offset;
  }
}

TEST_P(FrameRootsOf, ACallAreLookedUpAsTheVersionDoes) {
  // Up to .NET 9 a call belongs to its last byte, since then to the instruction behind it.
  const FrameRoots found = StoppedMethod(fullyInterruptible(GetParam()), 100).roots();
  EXPECT_EQ(found.problem, "");
  EXPECT_EQ(distinctObjectsOf(found),
            (Objects{inRegister(GetParam() >= 10 ? x64::kR12 : x64::kRbx), objectAt(kUntracked)}));
}

TEST_P(FrameRootsOf, AMethodThatRunsElsewhereAreNotKnown) {
  for (const bool isInterruptible : {false, true}) {
    const GcInfoSketch sketch = isInterruptible ? fullyInterruptible(GetParam()) : partlyInterruptible(GetParam());
    StoppedMethod method(sketch, 190);
    method.frame.isFirst = true;
    EXPECT_EQ(method.roots().problem, "The method is at an instruction for which it has no GC info.");
    StoppedMethod early(sketch, kPrologBytes - 1);
    early.frame.isFirst = true;
    EXPECT_EQ(early.roots().problem, "The method has not set up its frame yet.");
    EXPECT_FALSE(early.roots().isMissing);
  }
}

TEST_P(FrameRootsOf, ACallWithoutASafePointAreKnownIfOnlyReturnedValuesAreTracked) {
  // As in code that is not optimised.
  GcInfoSketch sketch = partlyInterruptible(GetParam());
  sketch.tracked = {registerSlot(x64::kRax)};
  sketch.liveAtSafePoints = {{0}};
  const FrameRoots found = StoppedMethod(sketch, 60).roots();
  EXPECT_EQ(found.problem, "");
  EXPECT_EQ(distinctObjectsOf(found), (Objects{objectAt(kUntracked)}));
  EXPECT_NE(StoppedMethod(partlyInterruptible(GetParam()), 60).roots().problem, "");
  EXPECT_NE(StoppedMethod(fullyInterruptible(GetParam()), 195).roots().problem, "");
}

TEST_P(FrameRootsOf, AnInterruptedMethodAreThoseThatItsHandlersMayUse) {
  // An exception that a call has thrown: the call will not return.
  StoppedMethod thrown(partlyInterruptible(GetParam()), 50);
  thrown.frame.isInterrupted = true;
  EXPECT_EQ(distinctObjectsOf(thrown.roots()), (Objects{objectAt(kUntracked)}));
  EXPECT_EQ(thrown.roots().problem, "");

  StoppedMethod interruptible(fullyInterruptible(GetParam()), 100);
  interruptible.frame.isInterrupted = true;
  interruptible.frame.isFirst = true;
  EXPECT_EQ(distinctObjectsOf(interruptible.roots()),
            (Objects{inRegister(GetParam() == 8 ? x64::kRbx : x64::kR12), objectAt(kUntracked)}));
  interruptible.frame.isFaulted = true;
  EXPECT_EQ(distinctObjectsOf(interruptible.roots()), (Objects{inRegister(x64::kR12), objectAt(kUntracked)}));

  StoppedMethod elsewhere(fullyInterruptible(GetParam()), 195);
  elsewhere.frame.isInterrupted = true;
  EXPECT_TRUE(elsewhere.roots().roots.empty());
  EXPECT_EQ(elsewhere.roots().problem, "");
}

TEST_P(FrameRootsOf, FuncletsAreReportedOnce) {
  GcInfoSketch sketch = partlyInterruptible(GetParam());
  const Objects tracked{inRegister(x64::kRbx), objectAt(kLocal)};
  EXPECT_EQ(distinctObjectsOf(StoppedMethod(sketch, 50).roots(true)), tracked);
  StoppedMethod filter(sketch, 50);
  filter.frame.isFilter = true;
  EXPECT_EQ(distinctObjectsOf(filter.roots()), tracked);
  sketch.flags = 0x80;  // only the innermost funclet reports
  EXPECT_TRUE(StoppedMethod(sketch, 50).roots(true).roots.empty());
  EXPECT_EQ(StoppedMethod(sketch, 50).roots().roots.size(), 3u);
}

TEST_P(FrameRootsOf, PlacesCountFromWhereTheySay) {
  GcInfoSketch sketch{.runtime = GetParam(), .codeLength = 200};
  sketch.untracked = {stackSlot(GcSlotBase::CallerStackPointer, -24, true),
                      stackSlot(GcSlotBase::CallerStackPointer, 16, false, true),
                      stackSlot(GcSlotBase::StackPointer, 32), stackSlot(GcSlotBase::FrameBase, 40, true, true)};
  // Behind one with flags each is written in full.
  std::swap(sketch.untracked[2], sketch.untracked[3]);
  StoppedMethod method(sketch, 50);
  auto found = method.roots();
  ASSERT_EQ(found.roots.size(), 4u);
  EXPECT_EQ(found.roots[0].slot, kCallerStackPointer - 24);
  EXPECT_TRUE(found.roots[0].isInterior && !found.roots[0].isPinned);
  EXPECT_EQ(found.roots[1].slot, kCallerStackPointer + 16);
  EXPECT_TRUE(!found.roots[1].isInterior && found.roots[1].isPinned);
  EXPECT_EQ(found.roots[2].slot, kFrameBase + 40);
  EXPECT_TRUE(found.roots[2].isInterior && found.roots[2].isPinned);
  EXPECT_EQ(found.roots[3].slot, kStackPointer + 32);
  EXPECT_TRUE(!found.roots[3].isInterior && !found.roots[3].isPinned);
  for (const auto& root : found.roots) {
    EXPECT_EQ(root.object, objectAt(root.slot));
    EXPECT_FALSE(root.reg);
  }
  method.clear(kStackPointer + 32);
  EXPECT_EQ(method.roots().roots.size(), 3u) << "null is no root";
}

TEST(FrameRootsProblem, TellsMissingMemoryFromDamage) {
  const GcInfoSketch sketch = partlyInterruptible(10);
  StoppedMethod lacksGcInfo(sketch, 50);
  lacksGcInfo.forgetGcInfo();
  EXPECT_TRUE(lacksGcInfo.roots().isMissing);
  EXPECT_EQ(lacksGcInfo.roots().problem, "The dump lacks GC info at 0x500ff8.");

  StoppedMethod unknown(sketch, 50);
  unknown.frame.code.gcInfo = {};
  EXPECT_TRUE(unknown.roots().isMissing);
  EXPECT_NE(unknown.roots().problem, "");

  // The rest of the frame is told all the same.
  StoppedMethod lacksStack(sketch, 50);
  lacksStack.frame.registers[x64::kRbp] = kFrameRootsStack.value + kStackBytes + 8;
  EXPECT_EQ(lacksStack.roots().problem, "The dump lacks the stack at 0x702000.");
  EXPECT_TRUE(lacksStack.roots().isMissing);
  EXPECT_EQ(distinctObjectsOf(lacksStack.roots()),
            (Objects{inRegister(x64::kRbx), objectAt(kFrameRootsStack + (kStackBytes - 8))}));

  const StoppedMethod damaged(10, FileBytes(100, std::byte{0xff}), 50);
  EXPECT_FALSE(damaged.roots().isMissing);
  EXPECT_NE(damaged.roots().problem, "");
  EXPECT_TRUE(damaged.roots().roots.empty());
}

TEST(FrameRootsProblem, IsAnInstructionOrAPlaceOutsideOfTheMethod) {
  const GcInfoSketch sketch = partlyInterruptible(8);
  for (const std::uint64_t offset : {std::uint64_t{201}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    StoppedMethod method(sketch, 0);
    method.frame.registers.instruction = method.frame.code.start + offset;
    EXPECT_NE(method.roots().problem, "");
    EXPECT_TRUE(method.roots().roots.empty());
  }
  StoppedMethod below(sketch, 50);
  below.frame.registers[x64::kRbp] = kStackPointer.value - 64;
  EXPECT_EQ(below.roots().problem, "The method's GC info leads to memory below its stack.");
  EXPECT_EQ(distinctObjectsOf(below.roots()), (Objects{inRegister(x64::kRbx)}));
}

}  // namespace
}  // namespace heapscape::test
