// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "layout/advice/best_order.h"
#include "layout/advice/separation.h"
#include "layout/advice/type_advice.h"
#include "support/builders/types_in_memory.h"

namespace heapscape::engine {
namespace {

using heapscape::test::TypesInMemory;
using enum ElementType;

class Separation : public testing::Test {
 protected:
  std::string of(ClosedTypeId type) {
    LayoutRules rules(m_types, {});
    const auto why = separationOf(rules, type);
    EXPECT_TRUE(why) << why.error().message();
    return why.value_or(std::string());
  }
  ClosedTypeId sized(std::string_view name, std::uint32_t size, std::vector<TypesInMemory::Field> fields) {
    const auto type = m_types.addStruct(name, std::move(fields));
    m_types.declaration(type).size = size;
    return type;
  }
  ClosedTypeId explicitOne(std::string_view name, std::vector<TypesInMemory::Field> fields) {
    const auto type = m_types.addStruct(name, std::move(fields));
    m_types.declaration(type).layoutKind = LayoutKind::Explicit;
    return type;
  }
  ClosedTypeId ofLongs(std::string_view name, std::size_t count) {
    static constexpr const char* kNames[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    std::vector<TypesInMemory::Field> fields;
    for (std::size_t i = 0; i < count; ++i) fields.push_back({kNames[i], I8});
    return m_types.addClass(name, std::move(fields));
  }

  TypesInMemory m_types;
};

TEST_F(Separation, IsASizeOfWholeCacheLinesAroundFewFields) {
  EXPECT_EQ(of(sized("Counter", 128, {{"value", I8}})),
            "Separated on purpose, for processors' caches: its Size of 128 bytes is whole cache lines of 64 around 8 "
            "bytes of fields.");
  EXPECT_NE(of(sized("Line", 64, {{"value", I8}, {"other", I4}})), "");
}

TEST_F(Separation, IsAFieldAtTheStartOfACacheLineBehindAGap) {
  EXPECT_EQ(of(explicitOne("Ends", {{"head", I4, {}, 64}, {"tail", I4, {}, 128}})),
            "Separated on purpose, for processors' caches: head lies at offset 64, where a cache line of 64 bytes "
            "begins, behind 64 empty ones.");
  EXPECT_NE(of(explicitOne("Two", {{"head", I8, {}, 0}, {"tail", I8, {}, 64}})), "");
}

TEST_F(Separation, IsTheNameOfATypeThatTakesACacheLine) {
  EXPECT_NE(of(ofLongs("Ring.PaddedSequence", 8)), "");
  EXPECT_NE(of(ofLongs("Ring.LhsPadding", 7)), "");
  EXPECT_NE(of(ofLongs("Ring.Cache_Line", 8)), "");
  EXPECT_EQ(of(ofLongs("Ring.Padded", 2)), "");
  EXPECT_EQ(of(ofLongs("Ring.Paddeduck", 8)), "");
  EXPECT_EQ(of(ofLongs("Padded.Ring", 8)), "");
  EXPECT_TRUE(namesSeparation("Ring.Padded<System.Int64>"));
  EXPECT_FALSE(namesSeparation("Ring.List<Ring.Padded>"));
}

TEST_F(Separation, IsNoLayoutForNativeCode) {
  EXPECT_EQ(of(sized("Header", 64, {{"a", I8}, {"b", I8}, {"c", I8}, {"d", I8}, {"e", I8}})), "");
  EXPECT_EQ(of(sized("Record", 20, {{"a", I8}})), "");
  EXPECT_EQ(of(explicitOne("Union", {{"a", I8, {}, 0}, {"b", I8, {}, 56}, {"c", I8, {}, 64}})), "");
}

TEST_F(Separation, IsNothingToWinBack) {
  const auto type = sized("Counter", 64, {{"flag", U1}, {"value", I8}, {"other", U1}});
  LayoutRules rules(m_types, {});
  const auto best = bestOrderOf(rules, type);
  ASSERT_TRUE(best);
  EXPECT_EQ(best->best.means, AdviceKind::NothingToGain);
  EXPECT_EQ(best->best.bestBytes, 64u);
  EXPECT_EQ(best->best.separation, of(type));
  const auto advice = adviceFor(rules, type, {});
  ASSERT_TRUE(advice);
  ASSERT_EQ(advice->size(), 1u);
  EXPECT_EQ(advice->front().text, of(type));
  EXPECT_EQ(advice->front().savedBytesPerInstance, 0);
}

}  // namespace
}  // namespace heapscape::engine
