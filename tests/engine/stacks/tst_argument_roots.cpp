// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "import_cells.h"
#include "named_method.h"
#include "session/snapshot/contents.h"
#include "stacks/frames/argument_roots.h"
#include "stacks/gc_info/gc_reference_map.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using namespace engine;

/// A frame of the runtime that a test writes onto a stack, newest end first: the frame, what it refers to, its block.
class WrittenFrame : public testing::TestWithParam<std::string> {
 protected:
  WrittenFrame() {
    // Some words above the stack pointer of a thread that is not looked at otherwise.
    m_place = {alignUp(m_core.core().threads.front().stackPointer().value, 16)};
    for (std::uint64_t i = 0; i < kWords; ++i) m_core.write(m_place + 8 * i, std::uint64_t{0});
  }

  const Contract& contract() const { return readers().runtime.contract(); }
  const RuntimeReaders& readers() const { return *m_before.contents().readers; }
  std::uint64_t offset(const char* type, const char* field) const { return contract().offset(type, field); }
  Address frame() const { return m_place; }
  Address block() const { return m_place + 8 * 64; }
  void setWord(Address place, std::uint64_t value) { m_core.write(place, value); }
  /// The n-th word behind the block's start; 13 and on are arguments on the stack.
  void setArgument(std::uint64_t word, std::uint64_t value) { setWord(block() + 8 * word, value); }
  void writeMethodFrame(const MethodDesc& method) {
    setWord(frame() + offset("FramedMethodFrame", "TransitionBlockPtr"), block().value);
    setWord(frame() + offset("FramedMethodFrame", "MethodDesc"), method.address.value);
  }
  Snapshot opened() const { return openSnapshot(m_core.path(), Stage::Summary); }

  static constexpr std::uint64_t kWords = 96;
  Snapshot m_before = openSnapshot(dumpPath(GetParam()), Stage::Summary);
  PatchedCore m_core{GetParam()};
  Address m_place;
};
INSTANTIATE_TEST_SUITE_P(, WrittenFrame, testing::Values("stacks-8", "stacks-9", "stacks-10", "stacks-11"),
                         [](const auto& dump) { return testName(dump.param); });

std::vector<std::uint64_t> objectsOf(const FrameRoots& roots) {
  std::vector<std::uint64_t> objects;
  for (const StackRoot& root : roots.roots) objects.push_back(root.object.value);
  return objects;
}

TEST_P(WrittenFrame, HoldsTheArgumentsOfTheCall) {
  const MethodDesc method = namedMethod(readers(), "System.String", "Replace(System.String, System.String)");
  writeMethodFrame(method);
  for (std::uint64_t word = 0; word < 20; ++word) setArgument(word, 0x1000 + word);
  setArgument(1, 0);  // the one that is null is no root
  const Snapshot snapshot = opened();
  const ArgumentRoots arguments(*snapshot.contents().readers);
  for (const ExplicitFrameKind kind : {ExplicitFrameKind::PrestubMethodFrame, ExplicitFrameKind::StubDispatchFrame,
                                       ExplicitFrameKind::CallCountingHelperFrame}) {
    const ExplicitFrame written{frame(), kind};
    const FrameRoots roots = arguments.ofTransition(written);
    EXPECT_EQ(roots.problem, "") << toString(kind);
    EXPECT_EQ(objectsOf(roots), (std::vector<std::uint64_t>{0x1000, 0x1002})) << toString(kind);
    ASSERT_EQ(roots.roots.size(), 2u);
    EXPECT_EQ(roots.roots[1].slot, block() + 16);
    EXPECT_FALSE(roots.roots[1].reg);
    EXPECT_EQ(arguments.methodOf(written), method.address);
  }
  EXPECT_TRUE(arguments.ofTransition({frame(), ExplicitFrameKind::InlinedCallFrame}).roots.empty());
}

TEST_P(WrittenFrame, HoldsValuesInRegistersAndOnTheStack) {
  writeMethodFrame(namedMethod(readers(), "Stacks.Locals",
                               "TakeStructs(Stacks.Couple, System.Double, Stacks.Crowd, System.Single, Stacks.Mark)"));
  for (std::uint64_t word = 0; word < 24; ++word) setArgument(word, 0x1000 + word);
  // Two references in rdi and rsi, 48 bytes on the stack, and rdx for the one behind; the numbers have other registers.
  std::vector<std::uint64_t> expected{0x1000, 0x1001};
  const auto inCrowd = ValueClasses(readers()).referencesIn(namedType(readers(), "Stacks.Crowd"));
  ASSERT_TRUE(inCrowd);
  ASSERT_EQ(inCrowd->size(), 3u);
  for (const ReferenceInValue& one : *inCrowd) expected.push_back(0x1000 + 13 + one.offset / 8);
  expected.push_back(0x1002);
  const Snapshot snapshot = opened();
  const FrameRoots roots =
      ArgumentRoots(*snapshot.contents().readers).ofTransition({frame(), ExplicitFrameKind::PrestubMethodFrame});
  EXPECT_EQ(roots.problem, "");
  EXPECT_EQ(objectsOf(roots), expected);
}

TEST_P(WrittenFrame, OfADispatchFindsTheMethodByItsSlot) {
  const MethodDesc method = namedMethod(readers(), "System.IComparable", "CompareTo(System.Object)");
  setWord(frame() + offset("FramedMethodFrame", "TransitionBlockPtr"), block().value);
  setWord(frame() + offset("StubDispatchFrame", "RepresentativeMethodTable"), method.methodTable.value);
  setWord(frame() + offset("StubDispatchFrame", "RepresentativeSlot"), method.slot);
  setArgument(0, 0x1000);
  setArgument(1, 0x2000);
  const Snapshot snapshot = opened();
  const ArgumentRoots arguments(*snapshot.contents().readers);
  const ExplicitFrame written{frame(), ExplicitFrameKind::StubDispatchFrame};
  EXPECT_EQ(arguments.methodOf(written), method.address);
  EXPECT_EQ(objectsOf(arguments.ofTransition(written)), (std::vector<std::uint64_t>{0x1000, 0x2000}));
}

TEST_P(WrittenFrame, OfACallBetweenImagesGoesByTheirMap) {
  Address mapped;
  std::vector<ReferenceMapEntry> map;
  forEachImportCell(readers(), [&](Address module, Address cell) {
    if (mapped) return;
    const auto found = readReferenceMap(readers().runtime, module, cell);
    if (!found || found->size() < 3) return;
    map = *found;
    mapped = cell;
  });
  // From .NET 10 on heap dumps lack the table of import sections.
  ASSERT_EQ(static_cast<bool>(mapped), GetParam() == "stacks-8" || GetParam() == "stacks-9");
  if (!mapped) return;
  setWord(frame() + offset("FramedMethodFrame", "TransitionBlockPtr"), block().value);
  setWord(frame() + offset("ExternalMethodFrame", "Indirection"), mapped.value);
  std::vector<std::uint64_t> expected;
  for (std::uint64_t word = 0; word < 20; ++word) setArgument(word, 0x1000 + word);
  for (const ReferenceMapEntry& entry : map) {
    if (entry.token == ReferenceMapToken::Reference || entry.token == ReferenceMapToken::Interior)
      expected.push_back(0x1000 + entry.position);
  }
  const Snapshot snapshot = opened();
  const ArgumentRoots arguments(*snapshot.contents().readers);
  const FrameRoots roots = arguments.ofTransition({frame(), ExplicitFrameKind::ExternalMethodFrame});
  EXPECT_EQ(roots.problem, "");
  EXPECT_EQ(objectsOf(roots), expected);
}

TEST_P(WrittenFrame, OfAHelperSaysWhichRegistersHoldObjects) {
  setWord(frame() + offset("FramedMethodFrame", "TransitionBlockPtr"), block().value);
  setArgument(0, 0x1000);
  setArgument(1, 0x2000);
  const std::vector<std::uint64_t> expected[] = {{}, {0x1000}, {0x2000}, {0x1000, 0x2000}};
  for (std::uint64_t flags = 0; flags < 4; ++flags) {
    setWord(frame() + offset("DynamicHelperFrame", "Flags"), flags);
    const Snapshot snapshot = opened();
    const FrameRoots roots =
        ArgumentRoots(*snapshot.contents().readers).ofTransition({frame(), ExplicitFrameKind::DynamicHelperFrame});
    EXPECT_EQ(roots.problem, "");
    EXPECT_EQ(objectsOf(roots), expected[flags]);
  }
}

TEST_P(WrittenFrame, OfAHijackedThreadHoldsTheResult) {
  const Address thread = frame() + 8 * 8;  // of which nothing but the method is read, far behind
  const Address place = thread + offset("Thread", "HijackedFunction");
  const Address saved = block();
  setWord(frame() + offset("HijackFrame", "Thread"), thread.value);
  setWord(frame() + offset("HijackFrame", "HijackArgsPtr"), saved.value);
  setWord(saved + offset("HijackArgs", "Rax"), 0x1000);
  setWord(saved + offset("HijackArgs", "Rdx"), 0x2000);
  const ExplicitFrame written{frame(), ExplicitFrameKind::HijackFrame};
  const auto rootsOf = [&](const char* type, const char* signature) {
    setWord(place, namedMethod(readers(), type, signature).address.value);
    const Snapshot snapshot = opened();
    return ArgumentRoots(*snapshot.contents().readers).ofHijackedReturn(written);
  };
  const FrameRoots object = rootsOf("System.String", "Concat(System.String, System.String)");
  EXPECT_EQ(objectsOf(object), (std::vector<std::uint64_t>{0x1000}));
  EXPECT_FALSE(object.roots.front().isInterior);
  const FrameRoots byRef = rootsOf("System.String", "GetPinnableReference()");
  EXPECT_EQ(objectsOf(byRef), (std::vector<std::uint64_t>{0x1000}));
  EXPECT_TRUE(byRef.roots.front().isInterior);
  EXPECT_TRUE(rootsOf("System.String", "get_Length()").roots.empty());
}

TEST_P(WrittenFrame, SaysWhatItCannotTell) {
  const Snapshot empty = opened();
  const ArgumentRoots arguments(*empty.contents().readers);
  const auto problemOf = [&](ExplicitFrameKind kind) { return arguments.ofTransition({frame(), kind}).problem; };
  EXPECT_NE(problemOf(ExplicitFrameKind::PrestubMethodFrame), "") << "no block";
  EXPECT_NE(arguments.ofHijackedReturn({frame(), ExplicitFrameKind::HijackFrame}).problem, "") << "no thread";
  setWord(frame() + offset("FramedMethodFrame", "TransitionBlockPtr"), block().value);
  const Snapshot withBlock = opened();
  EXPECT_NE(ArgumentRoots(*withBlock.contents().readers)
                .ofTransition({frame(), ExplicitFrameKind::PrestubMethodFrame})
                .problem,
            "")
      << "no method";
  EXPECT_NE(arguments.ofTransition({{0x10}, ExplicitFrameKind::ExternalMethodFrame}).problem, "") << "no memory";
}

}  // namespace
}  // namespace heapscape::test
