// SPDX-License-Identifier: MIT
// Types by what their outermost objects retain.
#include <gtest/gtest.h>

#include <map>

#include "session/dominators/dominators_query.h"
#include "session/objects/object_query.h"
#include "session/open/retained_stage.h"
#include "session/references/reference_query.h"
#include "support/opened_snapshot.h"

namespace heapscape::test {
namespace {

TEST(OutermostTypes, AddUpToAllThatCanBeReachedAndEqualTheDominatorTree) {
  const auto retained = engine::addRetained(openedDump("shop-10"), {.byType = false}, nullptr, {});
  ASSERT_TRUE(retained);
  const engine::Snapshot& snapshot = *retained;
  const auto types = engine::outermostTypes(snapshot, {});
  ASSERT_TRUE(types);
  std::map<std::uint32_t, std::uint64_t> expected;
  engine::forEachDominated(snapshot,
                           [&](const engine::DominatedObject& object) {
                             if (!object.dominator)
                               expected[engine::objectAt(snapshot, object.object)->type.value] += object.retainedBytes;
                             return true;
                           },
                           {});
  std::uint64_t sum = 0;
  std::uint64_t last = UINT64_MAX;
  for (const engine::OutermostType& type : *types) {
    EXPECT_EQ(type.retainedBytes, expected[type.type.value]);
    EXPECT_LE(type.retainedBytes, last);
    last = type.retainedBytes;
    sum += type.retainedBytes;
  }
  EXPECT_EQ(types->size(), expected.size());
  EXPECT_EQ(sum, snapshot.retainedTotals().reachableBytes);
}

TEST(OutermostTypes, AreNoneBeforeItIsKnownWhoHoldsWhat) {
  std::stop_source stop;
  stop.request_stop();
  const auto none = engine::outermostTypes(openedDump("shop-10"), stop.get_token());
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->empty());
}

}  // namespace
}  // namespace heapscape::test
