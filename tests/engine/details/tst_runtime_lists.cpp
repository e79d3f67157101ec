// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "session/roots/handles_query.h"
#include "session/roots/statics_query.h"
#include "session/threads/locks_query.h"
#include "session/threads/threads_query.h"
#include "support/details.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::Address;
using nlohmann::json;

class RuntimeLists : public testing::TestWithParam<std::string> {
 protected:
  const engine::Snapshot& snapshot() const { return openedDump(GetParam()); }
  const json& truth() const {
    static std::pair<std::string, json> last;
    if (last.first != GetParam()) last = {GetParam(), detailsOf(GetParam())};
    return last.second;
  }
};

INSTANTIATE_TEST_SUITE_P(OfShop, RuntimeLists, testing::ValuesIn(shopDumps()),
                         [](const auto& dump) { return testName(dump.param); });

// ClrMD counts handles to the inside of an object as strong.
std::string kindOf(const json& handle, engine::HandleKind ours) {
  std::string kind = handle["kind"];
  kind.front() = static_cast<char>(std::tolower(kind.front()));
  return ours == engine::HandleKind::WeakInteriorPointer ? toString(ours) : kind;
}

TEST_P(RuntimeLists, HandlesAreClrMDs) {
  const auto list = engine::listHandles(snapshot(), false, {});
  ASSERT_TRUE(list);
  EXPECT_TRUE(list->findings.items().empty());
  std::map<Address, engine::HandleRow> ours;
  for (const engine::HandleRow& row : list->handles) ours[row.address] = row;
  EXPECT_EQ(ours.size(), truth()["handles"].size());
  for (const json& handle : truth()["handles"]) {
    const auto found = ours.find(addressIn(handle, "address"));
    ASSERT_NE(found, ours.end()) << handle;
    EXPECT_EQ(toString(found->second.kind), kindOf(handle, found->second.kind));
    EXPECT_EQ(found->second.object, addressIn(handle, "object")) << handle;
    if (found->second.kind == engine::HandleKind::Dependent) {
      EXPECT_EQ(found->second.dependent, addressIn(handle, "dependent")) << handle;
    }
  }
}

TEST_P(RuntimeLists, ThinLocksAreClrMDs) {
  const auto list = engine::listLocks(snapshot(), {});
  ASSERT_TRUE(list);
  std::map<Address, engine::LockRow> ours;
  for (const engine::LockRow& row : list->locks)
    if (row.kind == engine::LockKind::Thin) ours[row.object] = row;
  EXPECT_EQ(ours.size(), truth()["thinLocks"].size());
  for (const json& lock : truth()["thinLocks"]) {
    const engine::LockRow& row = ours[addressIn(lock, "object")];
    EXPECT_EQ(row.ownerManagedId, lock["owner"].get<std::uint32_t>()) << lock;
    EXPECT_EQ(row.recursion, lock["recursion"].get<std::uint32_t>()) << lock;
    EXPECT_TRUE(row.isHeld);
  }
}

TEST_P(RuntimeLists, SyncBlocksAreClrMDs) {
  constexpr int kNoTruth = 1000;  // ClrMD says so of a block that nobody holds
  const auto list = engine::listLocks(snapshot(), {});
  ASSERT_TRUE(list);
  std::map<Address, std::uint32_t> managedIdOf;
  for (const json& thread : truth()["threads"]) managedIdOf[addressIn(thread, "address")] = thread["managedId"];
  std::map<std::uint32_t, engine::LockRow> ours;
  for (const engine::LockRow& row : list->locks)
    if (row.kind == engine::LockKind::SyncBlock) ours[row.syncBlockIndex] = row;
  EXPECT_EQ(ours.size(), truth()["syncBlocks"].size());
  for (const json& block : truth()["syncBlocks"]) {
    const auto found = ours.find(block["index"]);
    ASSERT_NE(found, ours.end()) << block;
    const engine::LockRow& row = found->second;
    EXPECT_EQ(row.object, addressIn(block, "object")) << block;
    EXPECT_EQ(row.isHeld, block["held"].get<bool>()) << block;
    if (row.isHeld) {
      EXPECT_EQ(row.ownerManagedId, managedIdOf[addressIn(block, "thread")]) << block;
      EXPECT_EQ(row.recursion, block["recursion"].get<std::uint32_t>()) << block;
    }
    if (block["waiting"] != kNoTruth) {
      EXPECT_EQ(row.waiting, block["waiting"].get<std::uint32_t>()) << block;
    }
  }
}

TEST_P(RuntimeLists, TwoThreadsThatBlockEachOtherAreOneCycle) {
  const auto locks = engine::listLocks(snapshot(), {});
  const auto threads = engine::listThreads(snapshot(), {});
  ASSERT_TRUE(locks && threads);
  std::set<std::uint32_t> embraced;
  for (const engine::ThreadRow& thread : threads->threads)
    if (thread.name == "left first" || thread.name == "right first") embraced.insert(thread.managedId);
  ASSERT_EQ(embraced.size(), 2u);
  ASSERT_EQ(locks->cycles.size(), 1u);
  EXPECT_EQ(std::vector<std::uint32_t>(embraced.begin(), embraced.end()), locks->cycles.front());
}

TEST_P(RuntimeLists, ThreadsAreClrMDs) {
  const auto list = engine::listThreads(snapshot(), {});
  ASSERT_TRUE(list);
  ASSERT_EQ(list->threads.size(), truth()["threads"].size());
  for (std::size_t i = 0; i < list->threads.size(); ++i) {
    const engine::ThreadRow& row = list->threads[i];
    const json& thread = truth()["threads"][i];
    EXPECT_EQ(row.address, addressIn(thread, "address"));
    EXPECT_EQ(row.managedId, thread["managedId"].get<std::uint32_t>());
    EXPECT_EQ(row.osId, thread["osId"].get<std::uint32_t>());
    EXPECT_EQ(row.stateBits, thread["state"].get<std::uint32_t>());
    EXPECT_EQ(row.isAlive, thread["alive"].get<bool>());
    EXPECT_EQ(row.isFinalizer, thread["finalizer"].get<bool>());
    EXPECT_EQ(row.isGc, thread["gc"].get<bool>());
    EXPECT_EQ(row.exception, addressIn(thread, "exception"));
  }
}

TEST_P(RuntimeLists, ThreadsHaveTheNamesThatTheProgramGave) {
  const auto list = engine::listThreads(snapshot(), {});
  ASSERT_TRUE(list);
  std::multiset<std::string> names;
  for (const engine::ThreadRow& row : list->threads) names.insert(row.name);
  for (const char* name : {"holder", "waiter", "left first", "right first", "worker 1", "worker 2"})
    EXPECT_EQ(names.count(name), 1u) << name;
}

TEST_P(RuntimeLists, FinalizableObjectsAreClrMDs) {
  const auto list = engine::listFinalizers(snapshot(), {});
  ASSERT_TRUE(list);
  std::multiset<Address> all, ready, expected, expectedReady;
  for (const engine::FinalizerRow& row : list->objects) {
    all.insert(row.object);
    if (row.queue != engine::FinalizerQueueKind::Registered) ready.insert(row.object);
  }
  for (const json& row : truth()["finalizable"]) expected.insert(addressIn(row, "object"));
  for (const json& row : truth()["fReachable"]) expectedReady.insert(addressIn(row, "object"));
  EXPECT_EQ(all, expected);
  EXPECT_EQ(ready, expectedReady);
}

TEST_P(RuntimeLists, StaticsLieWhereClrMDFindsThem) {
  constexpr int kFunctionPointer = 27;  // which ClrMD looks for among the references
  const auto list = engine::listStatics(snapshot(), {}, {});
  ASSERT_TRUE(list);
  std::map<std::pair<Address, std::string>, const engine::StaticRow*> ours;
  for (const engine::StaticRow& row : list->statics)
    if (row.kind != engine::StaticKind::Thread) ours[{row.methodTable, row.field}] = &row;
  int compared = 0;
  for (const json& field : truth()["statics"]) {
    const Address address = addressIn(field, "address");
    // Open generic types have none; of some classes ClrMD cannot tell.
    if (!address || field["elementType"] == kFunctionPointer) continue;
    const auto found = ours.find({addressIn(field, "methodTable"), field["field"]});
    ASSERT_NE(found, ours.end()) << field;
    ++compared;
    EXPECT_EQ(found->second->address, address) << field;
    if (field.contains("object") && !found->second->isBoxed) {
      EXPECT_EQ(found->second->value.value.object, addressIn(field, "object")) << field;
    }
  }
  EXPECT_GT(compared, 100);
}

}  // namespace
}  // namespace heapscape::test
