// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "every_order.h"
#include "layout/advice/best_order.h"
#include "layout/advice/changed_layout.h"
#include "support/builders/types_in_memory.h"

namespace heapscape::engine {
namespace {

using heapscape::test::fewestBytesOfEveryOrder;
using heapscape::test::TypesInMemory;
using Names = std::vector<std::string>;

constexpr auto kReference = TypesInMemory::reference;
constexpr auto kValue = TypesInMemory::value;

BestDeclaration best(TypesInMemory& types, ClosedTypeId type, const BestOrderOptions& options = {}) {
  LayoutRules rules(types, {});
  auto found = bestOrderOf(rules, type, options);
  EXPECT_TRUE(found) << found.error().message();
  return found.value_or(BestDeclaration{});
}

/// Small values of odd sizes and alignments, as they come to be in real programs.
struct OddStructs {
  explicit OddStructs(TypesInMemory& types) {
    empty = types.addStruct("Empty", {});
    three = types.addStruct("Three", {{"a", ElementType::U1}, {"b", ElementType::U1}, {"c", ElementType::U1}});
    twelve = types.addStruct("Twelve", {{"a"}, {"b"}, {"c"}});
    sized = types.addStruct("Sized", {{"a"}});
    types.declaration(sized).size = 13;
    holder = types.addStruct("Holder", {kReference("o"), {"n", ElementType::U2}});
    autoPair = types.addStruct("AutoPair", {{"a"}, {"b", ElementType::U1}});
    types.declaration(autoPair).layoutKind = LayoutKind::Auto;
    wide = types.addStruct("Wide", {{"low", ElementType::U8}, {"high", ElementType::U8}});
    types.declaration(wide).wellKnown = WellKnownType::Int128;
  }

  std::vector<ClosedTypeId> all() const { return {empty, three, twelve, sized, holder, autoPair, wide}; }

  ClosedTypeId empty, three, twelve, sized, holder, autoPair, wide;
};

TEST(BestOrder, OfAStructIsSequentialWithoutGaps) {
  TypesInMemory types;
  const auto type =
      types.addStruct("S", {{"a", ElementType::U1}, {"b", ElementType::I8}, {"c", ElementType::U1}, {"d"}});
  const BestDeclaration found = best(types, type);
  EXPECT_EQ(found.best.means, AdviceKind::Reorder);
  EXPECT_EQ(found.best.instanceBytes, 24u);
  EXPECT_EQ(found.best.bestBytes, 16u);
  // Only what has to move does.
  EXPECT_EQ(found.best.order, (Names{"a", "c", "d", "b"}));
  EXPECT_TRUE(found.isExact);
  EXPECT_NE(found.best.caution.find("contract"), std::string::npos);
}

TEST(BestOrder, LeavesWhatRoundingEats) {
  TypesInMemory types;
  const auto type = types.addClass("C", {{"a", ElementType::U1}, {"b"}});
  types.declaration(type).layoutKind = LayoutKind::Sequential;
  const BestDeclaration found = best(types, type);
  EXPECT_EQ(found.best.means, AdviceKind::NothingToGain);
  EXPECT_EQ(found.best.instanceBytes, 24u);
  EXPECT_EQ(found.best.bestBytes, 24u);
  EXPECT_EQ(found.best.order, (Names{"a", "b"}));
  EXPECT_TRUE(found.best.declaration.empty());
  EXPECT_TRUE(found.best.caution.empty());
}

TEST(BestOrder, OfAnAutoClassMovesItsValueTypesAlone) {
  TypesInMemory types;
  const OddStructs odd(types);
  const auto type =
      types.addClass("C", {{"count"}, kValue("x", odd.holder), kValue("y", odd.twelve), {"id", ElementType::I8}});
  const BestDeclaration found = best(types, type);
  // Behind id and count, 12 bytes, y needs no gap, which x does.
  EXPECT_EQ(found.best.means, AdviceKind::Reorder);
  EXPECT_EQ(found.best.instanceBytes, 64u);
  EXPECT_EQ(found.best.bestBytes, 56u);
  EXPECT_EQ(found.best.order, (Names{"count", "y", "x", "id"}));
  EXPECT_FALSE(found.change.layoutKind);
}

TEST(BestOrder, TakesAutoWhereSequentialCannotBeKept) {
  TypesInMemory types;
  const OddStructs odd(types);
  const auto type = types.addStruct(
      "S", {kValue("a", odd.twelve), {"n", ElementType::I8}, kValue("b", odd.three), kValue("h", odd.holder)});
  const BestDeclaration found = best(types, type);
  LayoutRules rules(types, {});
  EXPECT_EQ(found.best.bestBytes, fewestBytesOfEveryOrder(rules, type));
  const auto variant = layOutChanged(rules, type, found.change);
  ASSERT_TRUE(variant);
  EXPECT_EQ(variant->instanceBytes, found.best.bestBytes);
}

TEST(BestOrder, DropsASizeThatMayBeMeantAndSaysSo) {
  TypesInMemory types;
  const auto type = types.addStruct("Sized", {{"value", ElementType::I8}});
  types.declaration(type).size = 40;
  const BestDeclaration found = best(types, type);
  EXPECT_EQ(found.best.bestBytes, 8u);
  EXPECT_EQ(found.change.size, 0u);
  EXPECT_NE(found.best.caution.find("Size = 40"), std::string::npos);
}

TEST(BestOrder, KeepsTightUnionsInlineArraysAndFixedBuffers) {
  TypesInMemory types;
  const auto shared = types.addStruct(
      "Union", {{"a", ElementType::I8, {}, 0}, {"b", ElementType::R8, {}, 0}, {"c", ElementType::U1, {}, 15}});
  types.declaration(shared).layoutKind = LayoutKind::Explicit;
  const auto buffer = types.addStruct("Packet+<data>e__FixedBuffer", {{"FixedElementField", ElementType::U1}});
  types.declaration(buffer).size = 16;
  const auto array = types.addStruct("Ten", {{"element"}});
  types.declaration(array).inlineArrayLength = 10;
  for (const auto type : {shared, buffer, array}) {
    const BestDeclaration found = best(types, type);
    EXPECT_EQ(found.best.means, AdviceKind::NothingToGain) << types.nameOf(type);
    EXPECT_EQ(found.best.bestBytes, found.best.instanceBytes);
    EXPECT_FALSE(found.change.layoutKind);
    EXPECT_TRUE(found.change.order.empty());
  }
}

TEST(BestOrder, MovesUnionsAsAWhole) {
  TypesInMemory types;
  const auto shared = types.addStruct("Union", {{"tag", ElementType::U1, {}, 0},
                                                {"number", ElementType::I8, {}, 16},
                                                {"real", ElementType::R8, {}, 16},
                                                {"high", ElementType::I4, {}, 20},
                                                {"small", ElementType::I2, {}, 40}});
  types.declaration(shared).layoutKind = LayoutKind::Explicit;
  const BestDeclaration found = best(types, shared);
  EXPECT_EQ(found.best.instanceBytes, 48u);
  EXPECT_EQ(found.best.bestBytes, 16u);
  EXPECT_EQ(found.best.means, AdviceKind::ExplicitOffsets);
  ASSERT_EQ(found.change.explicitOffsets.size(), 5u);
  EXPECT_EQ(found.change.explicitOffsets[1], found.change.explicitOffsets[2]);
  EXPECT_EQ(found.change.explicitOffsets[3], found.change.explicitOffsets[1] + 4);
  EXPECT_EQ(found.change.explicitOffsets[1] % 8, 0u);
  EXPECT_TRUE(found.isExact);
}

TEST(BestOrder, MovesExplicitFieldsThatShareNothing) {
  TypesInMemory types;
  const auto type = types.addStruct(
      "Gaps", {{"a", ElementType::I4, {}, 0}, {"b", ElementType::I4, {}, 12}, {"c", ElementType::U1, {}, 20}});
  types.declaration(type).layoutKind = LayoutKind::Explicit;
  const BestDeclaration found = best(types, type);
  EXPECT_EQ(found.best.bestBytes, 12u);
  EXPECT_NE(found.best.caution.find("given by hand"), std::string::npos);
}

TEST(BestOrder, WithPackGivesUpAlignmentOnlyIfAsked) {
  TypesInMemory types;
  const auto type = types.addStruct("S", {{"a", ElementType::I8}, {"b", ElementType::U1}});
  EXPECT_EQ(best(types, type).best.means, AdviceKind::NothingToGain);
  const BestDeclaration packed = best(types, type, {.pack = 1});
  EXPECT_EQ(packed.best.means, AdviceKind::Pack);
  EXPECT_EQ(packed.best.bestBytes, 9u);
  EXPECT_EQ(packed.change.pack, 1u);
}

TEST(BestOrder, OfTheFrameworkIsNotTheReadersToChange) {
  TypesInMemory types;
  types.setAssemblyName("System.Private.CoreLib");
  const auto type =
      types.addStruct("System.S", {{"a", ElementType::U1}, {"b", ElementType::I8}, {"c", ElementType::U1}});
  EXPECT_NE(best(types, type).best.caution.find("framework"), std::string::npos);
}

TEST(BestOrder, FailsAsTheRulesDo) {
  TypesInMemory types;
  const auto itself = types.addStruct("Itself", {});
  types.declaration(itself).fields.push_back({.name = "again", .type = itself, .element = ElementType::ValueType});
  LayoutRules rules(types, {});
  const auto found = bestOrderOf(rules, itself);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, rules.placementOf(itself).error().code);
}

/// Declarations as they come, of every kind of field, base and attribute.
class RandomDeclarations {
 public:
  RandomDeclarations(TypesInMemory& types, std::uint32_t seed) : m_types(types), m_odd(types), m_random(seed) {
    m_bases = {types.addClass("Five", {{"a"}, {"b", ElementType::U1}}), types.addClass("Nothing", {}),
               types.addClass("Held", {kReference("o"), {"s", ElementType::I2}})};
    m_bases.push_back(types.addClass("Laid", {{"a"}, {"b", ElementType::U1}}));
    types.declaration(m_bases.back()).layoutKind = LayoutKind::Sequential;
    m_bases.push_back(types.addClass("LaidNothing", {}));
    types.declaration(m_bases.back()).layoutKind = LayoutKind::Sequential;
  }

  ClosedTypeId next(std::uint32_t most) {
    std::vector<TypesInMemory::Field> fields;
    const bool hasReferences = pick(2);
    for (std::uint32_t count = 1 + pick(most); count > 0; --count) fields.push_back(field(hasReferences));
    const bool isClass = pick(2);
    const ClosedTypeId type = isClass ? m_types.addClass("Random", fields) : m_types.addStruct("Random", fields);
    TypeDeclaration& declaration = m_types.declaration(type);
    if (isClass && pick(2)) declaration.base = m_bases[pick(static_cast<std::uint32_t>(m_bases.size()))];
    declaration.layoutKind = pick(3) ? LayoutKind::Sequential : LayoutKind::Auto;
    if (pick(4) == 0) declaration.pack = 1u << pick(5);
    if (pick(6) == 0) declaration.size = pick(50);
    declaration.isGeneric = pick(3) == 0;
    return type;
  }

 private:
  std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(m_random() % below); }

  TypesInMemory::Field field(bool mayBeReference) {
    constexpr std::array<ElementType, 5> kPrimitives{ElementType::Boolean, ElementType::I2, ElementType::I4,
                                                     ElementType::R8, ElementType::Char};
    const std::uint32_t what = pick(8);
    if (what < 4) return {"f", kPrimitives[pick(kPrimitives.size())]};
    if (what == 4 && mayBeReference) return kReference("f");
    const std::vector<ClosedTypeId> values = m_odd.all();
    const ClosedTypeId type = values[pick(static_cast<std::uint32_t>(values.size()))];
    if (type == m_odd.holder && !mayBeReference) return {"f", ElementType::I8};
    return kValue("f", type);
  }

  TypesInMemory& m_types;
  OddStructs m_odd;
  std::mt19937 m_random;
  std::vector<ClosedTypeId> m_bases;
};

std::string described(LayoutRules& rules, ClosedTypeId type) {
  const TypeDeclaration& declaration = **rules.types().declarationOf(type);
  std::string text = std::string(toString(declaration.layoutKind)) + " " + toString(declaration.kind) + ", pack " +
                     std::to_string(declaration.pack) + ", size " + std::to_string(declaration.size);
  if (!declaration.base.isNone()) text += ", below " + rules.types().nameOf(declaration.base);
  for (const FieldDeclaration& field : declaration.fields) text += ", " + rules.types().fieldTypeName(type, field);
  return text;
}

class BestOrderOfRandomDeclarations : public testing::TestWithParam<std::uint32_t> {};

TEST_P(BestOrderOfRandomDeclarations, EqualsTheBestOfEveryOrder) {
  TypesInMemory types;
  RandomDeclarations declarations(types, GetParam());
  LayoutRules rules(types, {});
  int better = 0;
  int refused = 0;
  for (int i = 0; i < 1500; ++i) {
    const ClosedTypeId type = declarations.next(i % 50 ? 5 : 8);
    const auto found = bestOrderOf(rules, type);
    if (!found) {
      ++refused;
      continue;
    }
    ASSERT_EQ(found->best.bestBytes, fewestBytesOfEveryOrder(rules, type)) << described(rules, type);
    ASSERT_TRUE(found->isExact);
    const auto variant = layOutChanged(rules, type, found->change);
    ASSERT_TRUE(variant);
    ASSERT_EQ(variant->instanceBytes, found->best.bestBytes);
    better += found->best.means != AdviceKind::NothingToGain;
  }
  EXPECT_GT(better, 200);
  EXPECT_LT(refused, 500);
}

INSTANTIATE_TEST_SUITE_P(Seeds, BestOrderOfRandomDeclarations, testing::Values(1u, 2u, 17u, 27u));

TEST(FieldOrder, KeepsWhatItCanOfTheGivenOrder) {
  const std::vector<FieldExtent> fields{{1, 1}, {8, 8}, {1, 1}, {4, 4}, {2, 2}};
  FieldOrderSearch search(fields, 0);
  EXPECT_EQ(search.earliestEnd(), 16u);
  EXPECT_EQ(search.orderEndingBy(16), (std::vector<std::uint32_t>{0, 2, 4, 3, 1}));
  // With eight bytes to spend only the last one needs to change places.
  EXPECT_EQ(search.endAsGiven(), 26u);
  EXPECT_EQ(search.orderEndingBy(24), (std::vector<std::uint32_t>{0, 1, 2, 4, 3}));
  EXPECT_EQ(search.orderEndingBy(26), (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
}

TEST(FieldOrder, OfThousandsOfShapesIsFoundInNoTimeAndMarked) {
  std::vector<FieldExtent> fields;
  std::mt19937 random(7);
  for (int i = 0; i < 60'000; ++i)
    fields.push_back({1 + static_cast<std::uint32_t>(random() % 1000), 1u << (random() % 7)});
  const auto start = std::chrono::steady_clock::now();
  FieldOrderSearch search(fields, 5);
  const auto order = search.orderEndingBy(search.earliestEnd());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  EXPECT_FALSE(search.isExact());
  EXPECT_LE(search.earliestEnd(), search.endAsGiven());
  EXPECT_EQ(order.size(), fields.size());
}

}  // namespace
}  // namespace heapscape::engine
