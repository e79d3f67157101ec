// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "session/details/go_to.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

class GoTo : public testing::Test {
 protected:
  std::vector<Destination> find(const std::string& text, std::size_t limit = 20) const {
    return findDestinations(m_snapshot, text, limit);
  }
  const Snapshot& m_snapshot = openedDump("shop-10");
};

TEST_F(GoTo, AnAddressIsTheObjectThatHoldsItAndItsSegment) {
  const ObjectRow row = listObjects(m_snapshot, {}, 500, 1).at(0);
  const auto found = find(toString(row.address + 8));
  ASSERT_GE(found.size(), 2u);
  EXPECT_EQ(found[0].kind, Destination::Kind::Object);
  EXPECT_EQ(found[0].object, row.address);
  EXPECT_EQ(found[0].title, m_snapshot.types()[row.type.value].name);
  EXPECT_EQ(found[0].segment, row.segment);
  EXPECT_TRUE(std::ranges::any_of(
      found, [&](const Destination& d) { return d.kind == Destination::Kind::Segment && d.segment == row.segment; }));
}

TEST_F(GoTo, AMethodTableIsItsType) {
  const TypeRow& type = m_snapshot.types().at(10);
  const auto found = find(toString(type.methodTable));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].kind, Destination::Kind::Type);
  EXPECT_EQ(found[0].methodTable, type.methodTable);
}

TEST_F(GoTo, ANameComesBeforeNamesThatHoldIt) {
  for (const char* text : {"System.String", "system.string", "String"}) {
    const auto found = find(text);
    ASSERT_FALSE(found.empty()) << text;
    EXPECT_EQ(found[0].title, "System.String") << text;
  }
}

TEST_F(GoTo, GivesNoMoreThanAskedFor) {
  EXPECT_EQ(find("System", 7).size(), 7u);
  EXPECT_TRUE(find("System", 0).empty());
  EXPECT_LE(find(toString(m_snapshot.segments()[0].objects.start), 1).size(), 1u);
}

TEST_F(GoTo, FindsNothingForNothing) {
  EXPECT_TRUE(find("").empty());
  EXPECT_TRUE(find("0x10").empty());
  EXPECT_TRUE(find("no such type at all").empty());
}

TEST_F(GoTo, IsTheSameEachTime) {
  const auto first = find("a", 1000);
  const auto second = find("a", 1000);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].methodTable, second[i].methodTable);
}

}  // namespace
}  // namespace heapscape::engine
