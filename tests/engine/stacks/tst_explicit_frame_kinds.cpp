// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "runtime/threads/threads.h"
#include "session/snapshot/contents.h"
#include "stacks/frames/explicit_frame_kind.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using namespace engine;

/// The frames of one thread, from the newest on; the last one is nothing if it is of no known kind.
std::vector<std::optional<ExplicitFrameKind>> framesOf(const ClrRuntime& runtime, Address thread) {
  const ExplicitFrameKinds kinds(runtime);
  std::vector<std::optional<ExplicitFrameKind>> frames;
  const Address end{runtime.contract().constant("FrameChain.End")};
  Address frame = runtime.pointerAt(thread, "Thread", "Frame").value_or(Address{});
  while (frame && frame != end && frames.size() < 100) {
    frames.push_back(kinds.kindOf(frame));
    if (!frames.back()) break;
    frame = runtime.pointerAt(frame, "Frame", "Next").value_or(Address{});
  }
  return frames;
}

class FramesOfDump : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(, FramesOfDump,
                         testing::Values("stacks-8", "stacks-9", "stacks-10", "stacks-11", "storm-8-collecting"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(FramesOfDump, AreAllOfAKnownKind) {
  const Snapshot snapshot = openSnapshot(dumpPath(GetParam()), Stage::Summary);
  const ClrRuntime& runtime = snapshot.contents().readers->runtime;
  FindingList findings;
  std::map<ExplicitFrameKind, int> found;
  for (const RuntimeThread& thread : readThreads(runtime, findings)) {
    for (const auto& kind : framesOf(runtime, thread.address)) {
      ASSERT_TRUE(kind) << toString(thread.address);
      ++found[*kind];
    }
  }
  // Every thread that was started by the runtime has one at its end; what waits does so in native code.
  EXPECT_GT(found[ExplicitFrameKind::DebuggerU2MCatchHandlerFrame], 0);
  EXPECT_GT(found[ExplicitFrameKind::InlinedCallFrame] + found[ExplicitFrameKind::HelperMethodFrame], 0);
}

TEST_P(FramesOfDump, AreNotSeenWhereThereIsNone) {
  const Snapshot snapshot = openSnapshot(dumpPath(GetParam()), Stage::Summary);
  const ClrRuntime& runtime = snapshot.contents().readers->runtime;
  const ExplicitFrameKinds kinds(runtime);
  FindingList findings;
  const auto threads = readThreads(runtime, findings);
  ASSERT_FALSE(threads.empty());
  EXPECT_EQ(kinds.kindOf(*runtime.globalPointer("StringMethodTable") + 8), std::nullopt);
  EXPECT_EQ(kinds.kindOf({}), std::nullopt);
  EXPECT_EQ(kinds.kindOf({~0ull}), std::nullopt);
}

TEST(ExplicitFrameKind, HasANameOfItsOwn) {
  std::set<std::string> names;
  for (const auto& [kind, name] : kEnumNames<ExplicitFrameKind>) names.insert(name);
  EXPECT_EQ(names.size(), kEnumNames<ExplicitFrameKind>.size());
  EXPECT_STREQ(toString(ExplicitFrameKind::InlinedCallFrame), "InlinedCallFrame");
  EXPECT_STREQ(toString(ExplicitFrameKind::HelperMethodFrame_PROTECTOBJ), "HelperMethodFrame_PROTECTOBJ");
  EXPECT_STREQ(toString(ExplicitFrameKind::MulticastFrame), "MulticastFrame");
}

}  // namespace
}  // namespace heapscape::test
