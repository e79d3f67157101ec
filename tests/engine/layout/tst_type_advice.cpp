// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "advice_rank.h"
#include "layout/advice/type_advice.h"
#include "support/builders/types_in_memory.h"

namespace heapscape::engine {
namespace {

using heapscape::test::rankOf;
using heapscape::test::TypesInMemory;

std::vector<Advice> advise(TypesInMemory& types, ClosedTypeId type, std::vector<FieldUse> use = {}) {
  LayoutRules rules(types, {});
  auto advice = adviceFor(rules, type, use);
  EXPECT_TRUE(advice) << advice.error().message();
  return advice.value_or(std::vector<Advice>());
}

const Advice* find(const std::vector<Advice>& advice, AdviceKind kind) {
  const auto found = std::ranges::find(advice, kind, &Advice::kind);
  return found == advice.end() ? nullptr : &*found;
}

TEST(TypeAdvice, SaysWhereNothingIsToGain) {
  TypesInMemory types;
  const auto full = types.addClass("Full", {{"a", ElementType::I8}});
  const auto rounded = types.addClass("Rounded", {{"a", ElementType::I8}, {"b", ElementType::U1}});
  const std::vector<Advice> ofFull = advise(types, full);
  ASSERT_EQ(ofFull.size(), 1u);
  EXPECT_EQ(ofFull[0].kind, AdviceKind::NothingToGain);
  EXPECT_EQ(ofFull[0].text, "Every byte belongs to a field: no declaration takes less.");
  EXPECT_NE(advise(types, rounded)[0].text.find("7 of 32 bytes are padding beside its own fields"), std::string::npos);
}

TEST(TypeAdvice, OffersAnotherOrderThePackAndTheAttribute) {
  TypesInMemory types;
  const auto type = types.addStruct("S", {{"a", ElementType::U1},
                                          {"b", ElementType::I8},
                                          {"c", ElementType::U1},
                                          {"d", ElementType::I4},
                                          {"e", ElementType::U1}});
  const std::vector<Advice> advice = advise(types, type);
  ASSERT_NE(find(advice, AdviceKind::Reorder), nullptr);
  EXPECT_TRUE(find(advice, AdviceKind::Reorder)
                  ->text.starts_with("Another order of its fields saves 16 of 32 bytes of every value."));
  const Advice* pack = find(advice, AdviceKind::Pack);
  ASSERT_NE(pack, nullptr);
  EXPECT_EQ(pack->savedBytesPerInstance, 32 - 15);
  EXPECT_NE(pack->text.find("1 more than the best order"), std::string::npos);
  EXPECT_NE(pack->text.find("b and d would lie unaligned"), std::string::npos);
  ASSERT_NE(find(advice, AdviceKind::AutoAttribute), nullptr);
  EXPECT_EQ(find(advice, AdviceKind::AutoAttribute)->savedBytesPerInstance, 16);
  EXPECT_TRUE(std::ranges::is_sorted(advice, std::ranges::greater{}, rankOf));
}

TEST(TypeAdvice, MergesBoolsWhereThatDoesMoreThanOrder) {
  TypesInMemory types;
  const auto type = types.addClass("C", {{"a", ElementType::I8},
                                         {"x", ElementType::Boolean},
                                         {"y", ElementType::Boolean},
                                         {"n"},
                                         {"m", ElementType::I2},
                                         {"z", ElementType::Boolean}});
  const std::vector<Advice> advice = advise(types, type);
  const Advice* merged = find(advice, AdviceKind::MergeBools);
  ASSERT_NE(merged, nullptr);
  EXPECT_EQ(merged->savedBytesPerInstance, 8);
  EXPECT_EQ(merged->text, "The bool fields x, y and z as bits of one byte save 8 of 40 bytes of every object.");
  const auto two = types.addClass("D", {{"x", ElementType::Boolean}, {"y", ElementType::Boolean}});
  EXPECT_EQ(find(advise(types, two), AdviceKind::MergeBools), nullptr) << "the floor of 24 bytes eats it";
}

TEST(TypeAdvice, SplitsOffWhatHardlyAnyObjectUses) {
  TypesInMemory types;
  const auto type = types.addClass("C", {{"id", ElementType::I8},
                                         TypesInMemory::reference("note"),
                                         TypesInMemory::reference("gift"),
                                         {"refund", ElementType::R8}});
  const std::vector<FieldUse> use{
      {"C", "id", 1000, 1000}, {"C", "note", 1000, 20}, {"C", "gift", 1000, 5}, {"C", "refund", 1000, 10}};
  const std::vector<Advice> advice = advise(types, type, use);
  const Advice* split = find(advice, AdviceKind::SplitColdFields);
  ASSERT_NE(split, nullptr);
  // 48 bytes become 32, and at most 35 objects need another 40: 16 × 1000 − 35 × 40.
  EXPECT_NE(split->text.find("at most 35 of 1,000 objects"), std::string::npos) << split->text;
  EXPECT_NE(split->text.find("save 16 of 48 bytes of every object"), std::string::npos) << split->text;
  EXPECT_NE(split->text.find("at least 14,600 bytes less in all"), std::string::npos) << split->text;
  EXPECT_EQ(split->savedBytesPerInstance, 14);
}

TEST(TypeAdvice, DoesNotSplitWhatIsUsedOrWouldSaveNothing) {
  TypesInMemory types;
  const auto type = types.addClass("C", {{"id", ElementType::I8}, TypesInMemory::reference("note")});
  EXPECT_EQ(find(advise(types, type, {{"C", "note", 1000, 200}}), AdviceKind::SplitColdFields), nullptr);
  EXPECT_EQ(find(advise(types, type, {{"C", "note", 1000, 0}}), AdviceKind::SplitColdFields), nullptr)
      << "the reference takes as much as the field";
}

TEST(TypeAdvice, TellsOfCacheLinesWithoutAHeap) {
  TypesInMemory types;
  std::vector<TypesInMemory::Field> fields(9, {"f", ElementType::I8});
  const auto type = types.addClass("Wide", fields);
  const Advice* split = nullptr;
  const std::vector<Advice> advice = advise(types, type);
  split = find(advice, AdviceKind::SplitColdFields);
  ASSERT_NE(split, nullptr);
  EXPECT_EQ(split->savedBytesPerInstance, 0);
  EXPECT_NE(split->text.find("span 72 bytes"), std::string::npos);
}

TEST(TypeAdvice, KnowsThatReferencesMakePackUseless) {
  TypesInMemory types;
  const auto type = types.addStruct("S", {TypesInMemory::reference("o"), {"b", ElementType::U1}});
  const std::vector<Advice> advice = advise(types, type);
  ASSERT_NE(find(advice, AdviceKind::Pack), nullptr);
  EXPECT_EQ(find(advice, AdviceKind::Pack)->savedBytesPerInstance, 0);
}

}  // namespace
}  // namespace heapscape::engine
