// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "layout/advice/type_advice.h"
#include "support/builders/types_in_memory.h"

namespace heapscape::engine {
namespace {

using heapscape::test::TypesInMemory;

std::string why(TypesInMemory& types, ClosedTypeId type, std::string_view name, LayoutRuntime runtime = {}) {
  LayoutRules rules(types, runtime);
  const auto reasons = fieldReasons(rules, type);
  EXPECT_TRUE(reasons) << reasons.error().message();
  if (!reasons) return {};
  for (const FieldReason& reason : *reasons)
    if (reason.name == name) return reason.why;
  ADD_FAILURE() << "no field " << name;
  return {};
}

TEST(FieldReasons, OfAutoLayoutGoFromReferencesToValueTypes) {
  TypesInMemory types;
  const auto pair = types.addStruct("Pair", {{"a", ElementType::I8}, {"b"}});
  const auto type = types.addClass("C", {{"flag", ElementType::Boolean},
                                         TypesInMemory::value("pair", pair),
                                         {"n"},
                                         TypesInMemory::reference("name"),
                                         TypesInMemory::reference("note"),
                                         {"m"}});
  EXPECT_EQ(why(types, type, "name"), "the first of the references: auto layout puts references before all else");
  EXPECT_EQ(why(types, type, "note"),
            "the 2nd of 2 references, which come before all else and keep their declared order");
  EXPECT_EQ(why(types, type, "n"), "4-byte fields follow the references");
  EXPECT_EQ(why(types, type, "m"), "among the 4-byte fields, which keep their declared order");
  EXPECT_EQ(why(types, type, "flag"), "1-byte fields follow those of 4 bytes");
  EXPECT_EQ(
      why(types, type, "pair"),
      "value types come last under auto, in declared order; it starts at its alignment of 8: 7 bytes of padding before "
      "it");
}

TEST(FieldReasons, NameTheHoleBehindABase) {
  TypesInMemory types;
  const auto base = types.addClass("Base", {{"a"}, {"b", ElementType::U1}});
  const auto type =
      types.addClass("Derived", {{"large", ElementType::I8}, {"small", ElementType::U1}, {"two", ElementType::I2}});
  types.declaration(type).base = base;
  EXPECT_EQ(why(types, type, "small"), "fills the hole behind the base class Base, which ends at 5");
  EXPECT_EQ(why(types, type, "two"), "fills the hole behind the base class Base, which ends at 5");
  EXPECT_EQ(why(types, type, "large"), "auto layout goes from large to small, and the largest fields have 8 bytes");
  EXPECT_EQ(why(types, type, "a"), "auto layout goes from large to small, and the largest fields have 4 bytes");
}

TEST(FieldReasons, OfSequentialLayoutCountAndAlign) {
  TypesInMemory types;
  const auto type = types.addStruct("S", {{"a", ElementType::U1}, {"b", ElementType::I4}, {"c", ElementType::U1}});
  EXPECT_EQ(why(types, type, "a"), "1st field, needs no alignment");
  EXPECT_EQ(why(types, type, "b"), "2nd field, 4-byte aligned: 3 bytes of padding before it");
  types.declaration(type).pack = 1;
  EXPECT_EQ(why(types, type, "b"), "2nd field, Pack = 1: no alignment");
}

TEST(FieldReasons, OfExplicitLayoutTellWhatIsCountedTwiceAndShared) {
  TypesInMemory types;
  const auto base = types.addClass("Base", {{"x", ElementType::I8}});
  types.declaration(base).layoutKind = LayoutKind::Sequential;
  const auto type = types.addClass("E", {{"a", ElementType::I4, {}, 0}, {"b", ElementType::I2, {}, 2}});
  types.declaration(type).layoutKind = LayoutKind::Explicit;
  types.declaration(type).base = base;
  EXPECT_EQ(
      why(types, type, "b"),
      "at its FieldOffset of 2, counted from 16: explicit layout counts the 8 bytes of the base class Base twice; "
      "shares its bytes with a");
}

TEST(FieldReasons, OfTheClassicRulesTellTheOldBoundary) {
  TypesInMemory types;
  const auto wrapper = types.addStruct("Wrapper", {{"b", ElementType::U1}});
  const auto type = types.addClass("C", {TypesInMemory::value("x", wrapper), TypesInMemory::value("y", wrapper)});
  LayoutRuntime classic;
  classic.classicStructs = true;
  EXPECT_NE(why(types, type, "y", classic).find("before .NET 7 each starts at a multiple of 8"), std::string::npos);
  EXPECT_EQ(why(types, type, "y").find("before .NET 7"), std::string::npos);
}

TEST(WhyNotAsDeclared, NamesTheReferenceAndTheWayToIt) {
  TypesInMemory types;
  const auto product = types.addStruct("Product", {{"id"}, TypesInMemory::reference("Name")});
  const auto line = types.addStruct("OrderLine", {{"n"}, TypesInMemory::value("Product", product)});
  const auto order = types.addStruct("Order", {{"n"}, TypesInMemory::value("Line", line)});
  types.declaration(order).pack = 1;
  LayoutRules rules(types, {});
  EXPECT_EQ(
      whyNotAsDeclared(rules, order).value_or("?"),
      "Declared sequential, laid out auto: Line.Product.Name (System.String) is a reference, and the runtime keeps "
      "the declared order only where there are none. Pack is ignored, too.");
}

TEST(WhyNotAsDeclared, NamesTheBaseClass) {
  TypesInMemory types;
  const auto base = types.addClass("Base", {TypesInMemory::reference("owner")});
  types.declaration(base).layoutKind = LayoutKind::Sequential;
  const auto type = types.addClass("C", {{"n"}});
  types.declaration(type).layoutKind = LayoutKind::Sequential;
  types.declaration(type).base = base;
  LayoutRules rules(types, {});
  EXPECT_NE(whyNotAsDeclared(rules, type).value_or("?").find("it inherits owner (System.String) from Base"),
            std::string::npos);
}

TEST(WhyNotAsDeclared, IsEmptyWhereTheOrderIsKept) {
  TypesInMemory types;
  const auto plain = types.addStruct("S", {{"n"}});
  const auto automatic = types.addClass("C", {TypesInMemory::reference("o")});
  LayoutRules rules(types, {});
  EXPECT_EQ(whyNotAsDeclared(rules, plain).value_or("?"), "");
  EXPECT_EQ(whyNotAsDeclared(rules, automatic).value_or("?"), "");
}

}  // namespace
}  // namespace heapscape::engine
