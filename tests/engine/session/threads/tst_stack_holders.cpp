// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "session/stacks/stacks_query.h"
#include "support/builders/hand_made_stacks.h"

namespace heapscape::engine {
namespace {

constexpr Address kObject{0x7f4c59812340};

StackList stacksWithLocals() {
  StackList stacks;
  stacks.threads = {stackOf(1, {managedFrame("Shop.Program", "Main")}),
                    stackOf(7, {managedFrame("Shop.Warehouse", "Restock"), managedFrame("Shop.Worker", "Run")})};
  StackRootRow named{.frame = 0, .slot = {0x7ffe1000}, .variable = "order", .object = kObject, .value = kObject};
  StackRootRow inRegister{.frame = 1, .reg = "rbx", .object = kObject, .value = kObject + 16};
  inRegister.isInterior = true;
  inRegister.isExact = false;
  StackRootRow other{.frame = 1, .slot = {0x7ffe2000}, .object = {0x7f4c59810000}};
  stacks.threads[1].roots = {named, inRegister, other};
  return stacks;
}

TEST(StackHolders, NameFrameThreadAndVariable) {
  const auto holders = holdersOnStacks(stacksWithLocals(), kObject);
  ASSERT_EQ(holders.size(), 2u);
  EXPECT_EQ(holders[0].managedId, 7u);
  EXPECT_EQ(holders[0].frame, "Shop.Warehouse.Restock()");
  EXPECT_EQ(holders[0].variable, "order");
  EXPECT_EQ(holders[0].place, "0x7ffe1000");
  EXPECT_TRUE(holders[0].isExact);
  EXPECT_EQ(holders[1].method, "Run");
  EXPECT_EQ(holders[1].place, "rbx");
  EXPECT_FALSE(holders[1].isExact);
}

TEST(StackHolders, NoObjectIsOnNoStack) {
  StackList stacks = stacksWithLocals();
  stacks.threads[1].roots[0].object = {};
  EXPECT_TRUE(holdersOnStacks(stacks, {}).empty());
  EXPECT_TRUE(holdersOnStacks(stacks, {0x1000}).empty());
}

TEST(StackHolders, AFrameThatIsNotThereHoldsNothing) {
  StackList stacks = stacksWithLocals();
  stacks.threads[1].roots[0].frame = 99;
  EXPECT_EQ(holdersOnStacks(stacks, kObject).size(), 1u);
}

}  // namespace
}  // namespace heapscape::engine
