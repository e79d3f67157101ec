// SPDX-License-Identifier: MIT
// Stacks that lie: what is wrong with one thread is said, and does not touch the others.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "session/open/summarise.h"
#include "session/stacks/stacks_query.h"
#include "session/threads/thread_waits.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::FrameKind;
using engine::FrameRow;
using engine::StackList;
using engine::ThreadStackRow;

constexpr const char* kDump = "stacks-10";
constexpr const char* kVictim = "monitor enter 1";

StackList stacksOf(const PatchedCore& core) {
  auto list = engine::readStacks(openSnapshot(core.path(), engine::Stage::Summary), {}, {});
  EXPECT_TRUE(list);
  return list ? std::move(*list) : StackList{};
}

const ThreadStackRow& victimOf(const StackList& list) {
  const auto found = std::ranges::find(list.threads, kVictim, &ThreadStackRow::name);
  if (found == list.threads.end()) throw std::runtime_error("the thread is gone");
  return *found;
}

std::vector<std::string> namesOf(const ThreadStackRow& stack) {
  std::vector<std::string> names;
  for (const FrameRow& frame : stack.frames) names.push_back(nameOf(frame));
  return names;
}

class DamagedStacks : public testing::Test {
 protected:
  DamagedStacks() : m_core(kDump), m_whole(stacksOf(m_core)) {}

  /// All threads but the one that was damaged are as they were.
  void expectOthersUnharmed(const StackList& list) const {
    ASSERT_EQ(list.threads.size(), m_whole.threads.size());
    for (std::size_t i = 0; i < list.threads.size(); ++i) {
      if (list.threads[i].name == kVictim) continue;
      EXPECT_EQ(namesOf(list.threads[i]), namesOf(m_whole.threads[i]));
      EXPECT_EQ(list.threads[i].isComplete, m_whole.threads[i].isComplete);
      EXPECT_EQ(list.threads[i].roots.size(), m_whole.threads[i].roots.size());
    }
  }

  Address firstRuntimeFrame() const {
    for (const FrameRow& frame : victimOf(m_whole).frames) {
      if (frame.kind == FrameKind::Runtime) return frame.stackPointer;
    }
    return {};
  }

  PatchedCore m_core;
  StackList m_whole;
};

TEST_F(DamagedStacks, AFrameThatLeadsToItselfEndsTheWalkAndSaysSo) {
  const Address frame = firstRuntimeFrame();
  m_core.write(frame + 8, frame.value);
  const StackList list = stacksOf(m_core);
  EXPECT_FALSE(victimOf(list).isComplete);
  EXPECT_FALSE(victimOf(list).problem.empty());
  EXPECT_LE(victimOf(list).frames.size(), victimOf(m_whole).frames.size());
  EXPECT_TRUE(m_whole.findings.items().empty());
  EXPECT_EQ(list.findings.items().size(), 1u) << "what it holds further out may be missing";
  expectOthersUnharmed(list);
}

// Where the note of a thread lies in the file.
std::uint64_t noteOf(const PatchedCore& core, std::uint32_t osId) {
  constexpr std::uint64_t kRegistersOffset = 112;
  constexpr std::size_t kHeaders = 1 << 18;
  const auto headers = core.readAt(0, kHeaders);
  const auto& threads = core.core().threads;
  const auto thread = std::ranges::find(threads, osId, &engine::CoreThread::osId);
  if (thread == threads.end()) throw std::runtime_error("there is no such thread");
  constexpr std::size_t kGeneralRegisters = 27;  // of x64
  const auto registers = std::as_bytes(std::span(thread->registers).first(kGeneralRegisters));
  const auto found = std::search(headers.begin(), headers.end(), registers.begin(), registers.end());
  if (found == headers.end()) throw std::runtime_error("there is no such note");
  return static_cast<std::uint64_t>(found - headers.begin()) - kRegistersOffset;
}

TEST_F(DamagedStacks, AThreadWhoseStackIsNotInTheDumpIsAFinding) {
  constexpr std::uint64_t kStackPointerOffset = 112 + 19 * 8;
  const std::uint64_t nowhere = 0x7000'0000'0000;
  m_core.writeAt(noteOf(m_core, victimOf(m_whole).osId) + kStackPointerOffset, std::as_bytes(std::span(&nowhere, 1)));
  const auto findings = openSnapshot(m_core.path(), engine::Stage::Summary).findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings.front().message.rfind("The dump has no stack of 1 of the ", 0), 0u) << findings.front().message;
}

TEST_F(DamagedStacks, AThreadWithoutRegistersIsAFinding) {
  const auto findingsOf = [&] { return openSnapshot(m_core.path(), engine::Stage::Summary).findings(); };
  EXPECT_TRUE(findingsOf().empty());
  // The note of the thread is of a kind that nobody knows. Its type stands in front of "CORE".
  constexpr std::size_t kTypeBefore = 12;
  const std::uint32_t unknown = 0x7fffffff;
  m_core.writeAt(noteOf(m_core, victimOf(m_whole).osId) - kTypeBefore, std::as_bytes(std::span(&unknown, 1)));
  const auto findings = findingsOf();
  // Its floating-point registers have no thread, which tells of the damage before the runtime's own list does.
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].message.rfind("The notes of the dump are damaged: ", 0), 0u) << findings[0].message;
  EXPECT_EQ(findings[1].message.rfind("The dump has no registers of 1 of the ", 0), 0u) << findings[1].message;
}

// As a dump has them that was taken from outside of the process's PID namespace: of a container, from its host.
TEST_F(DamagedStacks, ThreadsWithOtherIdsAreFoundByTheirStacks) {
  constexpr std::size_t kThreadIdOffset = 32;
  for (const engine::CoreThread& thread : m_core.core().threads) {
    // Those of the host overlap with those of the container, and name other threads.
    const std::uint32_t onHost = m_core.core().threads.front().osId + m_core.core().threads.back().osId - thread.osId;
    m_core.writeAt(noteOf(m_core, thread.osId) + kThreadIdOffset, std::as_bytes(std::span(&onHost, 1)));
  }
  const engine::Snapshot snapshot = openSnapshot(m_core.path(), engine::Stage::Summary);
  EXPECT_TRUE(snapshot.findings().empty()) << "nothing is lost";
  EXPECT_TRUE(engine::hasIdsOfOtherNamespace(snapshot));
  const StackList list = stacksOf(m_core);
  expectOthersUnharmed(list);
  EXPECT_EQ(namesOf(victimOf(list)), namesOf(victimOf(m_whole)));
  m_core.restore();
  EXPECT_FALSE(engine::hasIdsOfOtherNamespace(openSnapshot(m_core.path(), engine::Stage::Summary)));
}

TEST_F(DamagedStacks, AFrameOfNoKnownKindEndsTheWalkAndSaysSo) {
  m_core.write(firstRuntimeFrame(), std::uint64_t{4711});
  const StackList list = stacksOf(m_core);
  EXPECT_FALSE(victimOf(list).isComplete);
  EXPECT_FALSE(victimOf(list).problem.empty());
  expectOthersUnharmed(list);
}

TEST_F(DamagedStacks, AReturnAddressThatIsNoneEndsTheWalkAndSaysSo) {
  const auto& frames = victimOf(m_whole).frames;
  const auto own = std::ranges::find(frames, "Stacks.Waits", &FrameRow::type);
  ASSERT_NE(own, frames.end());
  // Right in front of the stack pointer of a frame lies the address that its callee returns to.
  m_core.write(own->stackPointer - 8, std::uint64_t{0x4141414141414141});
  const StackList list = stacksOf(m_core);
  EXPECT_LT(victimOf(list).frames.size(), frames.size());
  EXPECT_FALSE(victimOf(list).isComplete);
  EXPECT_FALSE(victimOf(list).problem.empty());
  expectOthersUnharmed(list);
}

TEST_F(DamagedStacks, WordsAtRandomNeitherCrashNorHangNorReachOtherThreads) {
  const auto& frames = victimOf(m_whole).frames;
  const Address begin = frames.front().stackPointer - 256;
  const std::uint64_t words = (frames.back().stackPointer - begin) / 8;
  std::mt19937_64 random(15);
  for (int round = 0; round < 40; ++round) {
    for (int i = 0; i < 12; ++i) {
      // Addresses near the stack look most like the truth.
      const std::uint64_t lie = random() % 3 == 0 ? random() : begin.value + random() % (words * 8);
      m_core.write(begin + random() % words * 8, lie);
    }
    const StackList list = stacksOf(m_core);
    expectOthersUnharmed(list);
    for (const auto& root : victimOf(list).roots) ASSERT_LT(root.frame, victimOf(list).frames.size());
    m_core.restore();
  }
}

}  // namespace
}  // namespace heapscape::test
