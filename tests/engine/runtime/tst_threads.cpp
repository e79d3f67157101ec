// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "runtime/threads/threads.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

class ThreadsOfEveryDump : public testing::TestWithParam<std::string> {};

TEST_P(ThreadsOfEveryDump, AreThreadsOfTheProcessWithContextsInsideTheHeap) {
  const Snapshot snapshot = openSnapshot(dumpPath(GetParam()), Stage::Segments);
  FindingList findings;
  const auto threads = readThreads(snapshot.contents().readers->runtime, findings);
  EXPECT_TRUE(findings.items().empty());
  EXPECT_GE(threads.size(), 2u);
  std::set<std::uint32_t> osIds;
  for (const CoreThread& thread : snapshot.contents().core->threads) osIds.insert(thread.osId);
  std::set<std::uint32_t> managedIds;
  for (const RuntimeThread& thread : threads) {
    SCOPED_TRACE(toString(thread.address));
    EXPECT_TRUE(managedIds.insert(thread.managedId).second) << thread.managedId;
    // A thread that has ended or not begun has no thread of the system.
    if (thread.osId) {
      EXPECT_TRUE(osIds.contains(thread.osId)) << thread.osId;
    }
    const auto [pointer, limit] = thread.allocationContext;
    EXPECT_LE(pointer, limit);
    if (!pointer) continue;
    const auto inSegment = [&](const Segment& s) { return s.objects.start <= pointer && limit <= s.objects.end; };
    EXPECT_TRUE(std::ranges::any_of(snapshot.segments(), inSegment)) << toString(pointer);
  }
}

INSTANTIATE_TEST_SUITE_P(Data, ThreadsOfEveryDump, testing::ValuesIn(healthyDumps()),
                         [](const auto& info) { return testName(info.param); });

TEST(Threads, KeepTheirContextsWhereEachVersionHasThem) {
  for (const char* name : {"storm-9-full", "storm-10-calm"}) {
    const Snapshot snapshot = openSnapshot(dumpPath(name), Stage::Segments);
    FindingList findings;
    const auto threads = readThreads(snapshot.contents().readers->runtime, findings);
    EXPECT_GE(
        std::ranges::count_if(threads, [](const RuntimeThread& t) { return t.allocationContext.pointer != Address{}; }),
        2)
        << name;
  }
}

TEST(Threads, AreReadAsFarAsADamagedListGoes) {
  for (const char* name : {"storm-8-calm", "storm-10-calm"}) {
    SCOPED_TRACE(name);
    PatchedCore file(name);
    const Snapshot before = openSnapshot(file.path(), Stage::Summary);
    const ClrRuntime& runtime = before.contents().readers->runtime;
    FindingList none;
    const auto threads = readThreads(runtime, none);
    ASSERT_GT(threads.size(), 3u);
    const Address link = runtime.member(threads[1].address, "Thread", "LinkNext");

    file.write<std::uint64_t>(link, 0x10);
    const Snapshot broken = openSnapshot(file.path(), Stage::Objects);
    EXPECT_TRUE(hasFinding(broken, FindingKind::RuntimeDataDamaged));
    FindingList findings;
    EXPECT_EQ(readThreads(broken.contents().readers->runtime, findings).size(), 2u);

    file.write<std::uint64_t>(link, link.value);
    const Snapshot circle = openSnapshot(file.path(), Stage::Objects);
    EXPECT_TRUE(hasFinding(circle, FindingKind::RuntimeDataDamaged));
    FindingList found;
    EXPECT_EQ(readThreads(circle.contents().readers->runtime, found).size(), 2u);
  }
}

}  // namespace
}  // namespace heapscape::engine
