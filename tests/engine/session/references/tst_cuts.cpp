// SPDX-License-Identifier: MIT
// How cuts are written and understood, and what they free of a heap made by hand.
#include "session/references/cuts.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cut_questions.h"
#include "session/snapshot/contents.h"
#include "support/builders/heap_in_memory.h"
#include "support/opened_snapshot.h"

namespace heapscape::test {
namespace {

using engine::RootKind;
using engine::Snapshot;
using engine::WhatIf;

/// Two ways from a static to the same, and a handle that holds a part of it.
struct SmallHeap {
  HeapInMemory heap;
  engine::TypeId type = heap.addType("Node");

  SmallHeap() {
    for (int i = 0; i < 7; ++i) heap.addObject(type);
    for (const auto& [from, to] : {std::pair{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {4, 3}, {0, 1}, {5, 6}})
      heap.addReference(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to));
    const std::uint32_t statics = heap.addGroup("Statics");
    heap.addRoot(RootKind::Static, 0, "static A.b", heap.addGroup("A", statics));
    heap.addRoot(RootKind::StrongHandle, 4, "strong handle", heap.addGroup("Handles"));
    heap.addRoot(RootKind::StrongHandle, 5, "strong handle", 2);
  }

  std::string at(std::uint32_t object) const { return toString(heap.addressOf(object)); }
  std::set<std::uint32_t> freed(const WhatIf& whatIf) const {
    std::set<std::uint32_t> objects;
    for (std::uint32_t object = 0; object < 7; ++object) {
      if (whatIf.frees(heap.addressOf(object))) objects.insert(object);
    }
    return objects;
  }
};

using Freed = std::set<std::uint32_t>;

TEST(WhatIfByHand, FreesWhatCutsHoldTogether) {
  const SmallHeap small;
  const Snapshot snapshot = small.heap.snapshot();
  const auto freed = [&](const std::vector<std::string>& texts) { return small.freed(askWhatIf(snapshot, texts)); };
  const std::string handle = "root:strong handle->" + small.at(4);
  EXPECT_EQ(freed({}), Freed{});
  EXPECT_EQ(freed({small.at(0) + "->" + small.at(1)}), Freed{1}) << "both references";
  EXPECT_EQ(freed({small.at(1) + "->" + small.at(3), small.at(2) + "->" + small.at(3)}), Freed{}) << "the handle stays";
  EXPECT_EQ(freed({small.at(1) + "->" + small.at(3), small.at(2) + "->" + small.at(3), handle}), (Freed{3, 4}));
  EXPECT_EQ(freed({handle}), Freed{});
  EXPECT_EQ(freed({"root:strong handle"}), (Freed{5, 6}));
  EXPECT_EQ(freed({"root:static A.b"}), (Freed{0, 1, 2})) << "a circle that the handle holds";
  EXPECT_EQ(freed({"root:A", handle}), (Freed{0, 1, 2, 3, 4}));
  EXPECT_EQ(freed({"root:Statics/A", "root:Handles"}), (Freed{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(freed({small.at(4), small.at(0)}), (Freed{0, 1, 2, 3, 4}));
  EXPECT_EQ(freed({small.at(3)}), (Freed{3}));
}

TEST(WhatIfByHand, TellsEachCutApart) {
  const SmallHeap small;
  const WhatIf whatIf = askWhatIf(small.heap.snapshot(), {"root:Statics", "root:strong handle->" + small.at(4)});
  ASSERT_EQ(whatIf.cuts().size(), 2u);
  EXPECT_EQ(whatIf.cuts()[0].alone.objects, 3u);
  EXPECT_EQ(whatIf.cuts()[1].alone.objects, 0u);
  EXPECT_EQ(whatIf.freed().objects, 5u);
  EXPECT_EQ(whatIf.freed().bytes, 5u * 24);
  EXPECT_TRUE(whatIf.isRootCut(0) && whatIf.isRootCut(1));
  EXPECT_FALSE(whatIf.isRootCut(2));
  EXPECT_EQ(whatIf.outermostCount(), 3u) << "0, and what two roots hold: 3 and 4";
}

TEST(WhatIfByHand, CountsThePlacesThatLetGo) {
  const SmallHeap small;
  const Snapshot snapshot = small.heap.snapshot();
  EXPECT_EQ(cutOf(snapshot, small.at(0) + "->" + small.at(1)).places, 2u);
  EXPECT_EQ(cutOf(snapshot, "root:strong handle").places, 2u);
  EXPECT_EQ(cutOf(snapshot, "root:Handles").group, 2u);
  EXPECT_EQ(cutOf(snapshot, "root:strong handle").group, engine::RootGroup::kNone);
}

TEST(WhatIfByHand, ACutOfWhatThereIsNotIsAnError) {
  const SmallHeap small;
  const Snapshot snapshot = small.heap.snapshot();
  const auto codeOf = [&](const std::string& text) {
    const auto cut = engine::readCut(snapshot, text, {});
    EXPECT_FALSE(cut) << text;
    return cut ? engine::ErrorCode::FileUnreadable : cut.error().error().code;
  };
  using enum engine::ErrorCode;
  for (const std::string& nonsense :
       {std::string(), std::string("orders"), std::string("root:"), small.at(0) + "-", small.at(0) + "->",
        "->" + small.at(1), small.at(0) + "->" + small.at(1) + "->" + small.at(3)})
    EXPECT_EQ(codeOf(nonsense), BadQuery) << nonsense;
  for (const std::string& missing :
       {std::string("0x10"), "0x10->" + small.at(1), small.at(0) + "->0x10", small.at(1) + "->" + small.at(0),
        std::string("root:static A.c"), std::string("root:0x10"), "root:static A.b->" + small.at(1),
        toString(small.heap.addressOf(0) + 8)})
    EXPECT_EQ(codeOf(missing), NotFound) << missing;
  auto early = std::make_shared<engine::Contents>(snapshot.contents());
  early->stage = engine::Stage::References;
  const auto tooEarly = engine::readCut(Snapshot(early), small.at(0), {});
  ASSERT_FALSE(tooEarly);
  EXPECT_EQ(tooEarly.error().error().code, BadQuery);
}

TEST(WhatIfByHand, CanBeStopped) {
  const Snapshot& snapshot = retainedDump("shop-10");
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = WhatIf::ask(snapshot, {cutOf(snapshot, "root:Statics")}, nullptr, stop.get_token());
  ASSERT_FALSE(stopped);
  EXPECT_TRUE(stopped.error().isCancelled());
  const WhatIf whatIf = askWhatIf(snapshot, {"root:Statics"});
  EXPECT_FALSE(whatIf.types(stop.get_token()));
}

}  // namespace
}  // namespace heapscape::test
