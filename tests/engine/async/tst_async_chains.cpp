// SPDX-License-Identifier: MIT
// Async methods that the target program has left waiting, found in its dumps.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/async/async_heap.h"
#include "session/details/object_details.h"
#include "session/objects/retained_query.h"
#include "support/dump_path.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using namespace engine;
using nlohmann::json;

class AsyncChains : public testing::TestWithParam<const char*> {
 protected:
  const Snapshot& snapshot() const { return openedDump(GetParam()); }
};

/// A lambda is told as such, nested types as the runtime names them.
bool isMethod(const std::string& name, const std::string& planted) {
  std::string plain = name;
  std::ranges::replace(plain, '+', '.');
  return plain == planted || plain == planted + " (lambda)";
}

const AsyncGroup* findPlanted(const AsyncList& list, const json& planted) {
  const auto methods = planted.at("methods").get<std::vector<std::string>>();
  const auto waitsFor = planted.at("waitsFor").get<std::string>();
  const auto found = std::ranges::find_if(list.groups, [&](const AsyncGroup& group) {
    return std::ranges::equal(methodsOf(list, list.firstOf(group)), methods, isMethod) &&
           list.nameOf(list.firstOf(group).waitsFor).find(waitsFor) != std::string_view::npos;
  });
  return found == list.groups.end() ? nullptr : &*found;
}

/// Names of the marks that locals refer to.
std::vector<std::string> marksIn(const Snapshot& snapshot, const AsyncList& list, const AsyncGroup& group) {
  std::vector<std::string> marks;
  for (const std::uint32_t chain : group.chains) {
    for (const AsyncFrame& frame : list.framesOf(list.chains[chain])) {
      const auto locals = AsyncLocals(snapshot).of(frame.object);
      for (const FieldValue& local : locals.value_or(std::vector<FieldValue>())) {
        const auto details = local.value.object ? objectDetails(snapshot, local.value.object)
                                                : Result<ObjectDetails>(failure(ErrorCode::NotFound, {}));
        if (!details || details->typeName != "Stacks.Mark") continue;
        for (const FieldValue& field : details->fields) {
          if (field.name == "Name") marks.push_back(field.value.text);
        }
      }
    }
  }
  return marks;
}

TEST_P(AsyncChains, AreFoundAsTheyWerePlanted) {
  const AsyncList list = chainsOf(snapshot());
  int chains = 0;
  for (const json& planted : plantedIn(GetParam())) {
    if (!planted.contains("chain")) continue;
    ++chains;
    const AsyncGroup* group = findPlanted(list, planted);
    ASSERT_TRUE(group) << planted.dump();
    EXPECT_EQ(group->chains.size(), planted.at("count")) << planted.dump();
    EXPECT_TRUE(list.firstOf(*group).isReachable) << planted.dump();
    EXPECT_FALSE(group->isFramework);
    const std::vector<std::string> marks = marksIn(snapshot(), list, *group);
    for (const std::string mark : planted.at("keeps"))
      EXPECT_TRUE(std::ranges::count(marks, "\"" + mark + "\"")) << planted.dump() << mark;
  }
  EXPECT_GE(chains, 15);
  EXPECT_TRUE(list.findings.items().empty());
}

TEST_P(AsyncChains, AreTheSameByThemselves) {
  const AsyncList together = chainsOf(snapshot()), each = chainsOf(snapshot(), false);
  EXPECT_EQ(each.groups.size(), each.chains.size());
  EXPECT_EQ(each.chains.size(), together.chains.size());
  EXPECT_LT(together.groups.size(), each.groups.size());
  EXPECT_EQ(each.methods, together.methods);
}

TEST_P(AsyncChains, LeadFromWhatIsWaitedForToWhoWaitsLast) {
  const AsyncList list = chainsOf(snapshot());
  const AsyncChain* line = findChain(list, "Stacks.Chains.InnerAsync");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->state, AsyncState::Suspended);
  EXPECT_EQ(list.nameOf(line->waitsFor), "TaskCompletionSource");
  for (const AsyncFrame& frame : list.framesOf(*line)) EXPECT_EQ(frame.await, 0);
  const AsyncChain* part = findChain(list, "Stacks.Chains.PartAsync");
  ASSERT_TRUE(part);
  const auto frames = list.framesOf(*part);
  ASSERT_EQ(frames.size(), 3u);
  EXPECT_EQ(list.nameOf(frames[1].name), "Task.WhenAll");
  EXPECT_FALSE(frames[1].isMethod);
}

TEST_P(AsyncChains, SayHowLongADelayTakesInAll) {
  const AsyncList list = chainsOf(snapshot());
  const AsyncChain* delay = findChain(list, "Stacks.Sources.SleepAsync");
  ASSERT_TRUE(delay);
  EXPECT_EQ(delay->milliseconds, 3'600'000u);
}

TEST_P(AsyncChains, NoteThatAThreadBlocks) {
  const AsyncList list = chainsOf(snapshot());
  const AsyncChain* blocked = findChain(list, "Stacks.Chains.BlockedAsync");
  ASSERT_TRUE(blocked);
  EXPECT_TRUE(list.framesOf(*blocked).front().event);
}

TEST_P(AsyncChains, TellWhichMethodRuns) {
  const AsyncList list = chainsOf(snapshot());
  const AsyncChain* running = findChain(list, "Stacks.Pool.RunningAsync");
  ASSERT_TRUE(running);
  EXPECT_EQ(running->state, AsyncState::Running);
}

TEST_P(AsyncChains, RetainWhatOnlyTheirObjectsLeadTo) {
  const Snapshot whole = openSnapshot(dumpPath(GetParam()), Stage::Retained);
  const AsyncList list = chainsOf(whole);
  for (const AsyncGroup& group : list.groups) {
    ObjectSet set;
    for (const std::uint32_t chain : group.chains) {
      for (const AsyncFrame& frame : list.framesOf(list.chains[chain])) set.objects.push_back(frame.object);
    }
    const auto retained = retainedOfSet(whole, set, nullptr, {});
    ASSERT_TRUE(retained);
    EXPECT_TRUE(group.isRetainedExact);
    EXPECT_EQ(group.retainedBytes, retained->retained.bytes);
  }
}

TEST_P(AsyncChains, AreKnownBeforeRootsAre) {
  const Snapshot early = openSnapshot(dumpPath(GetParam()), Stage::Objects);
  const AsyncList list = chainsOf(early);
  EXPECT_EQ(list.chains.size(), chainsOf(snapshot()).chains.size());
  for (const AsyncGroup& group : list.groups) EXPECT_FALSE(group.retainedBytes);
}

TEST_P(AsyncChains, CanBeStopped) {
  std::stop_source stop;
  stop.request_stop();
  const auto list = listAsync(snapshot(), {}, stop.get_token());
  ASSERT_FALSE(list);
  EXPECT_TRUE(list.error().isCancelled());
}

TEST_P(AsyncChains, HaveNoLocalsWhereThereIsNoMethod) {
  const AsyncList list = chainsOf(snapshot());
  EXPECT_FALSE(AsyncLocals(snapshot()).of({}));
  EXPECT_FALSE(AsyncLocals(snapshot()).of({0x1234}));
  const AsyncChain* line = findChain(list, "Stacks.Chains.InnerAsync");
  ASSERT_TRUE(line && line->awaited);
  EXPECT_FALSE(AsyncLocals(snapshot()).of(line->awaited));
}

INSTANTIATE_TEST_SUITE_P(Dumps, AsyncChains, testing::Values("asyncs-10", "asyncs-11"),
                         [](const auto& info) { return std::string(info.param).substr(7); });

}  // namespace
}  // namespace heapscape::test
