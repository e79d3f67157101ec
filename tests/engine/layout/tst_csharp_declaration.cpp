// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "layout/advice/type_advice.h"
#include "support/builders/types_in_memory.h"

namespace heapscape::engine {
namespace {

using heapscape::test::TypesInMemory;

std::string declared(TypesInMemory& types, ClosedTypeId type, const DeclarationChange& change = {}) {
  LayoutRules rules(types, {});
  auto text = csharpDeclaration(rules, type, change);
  EXPECT_TRUE(text) << text.error().message();
  return text.value_or("");
}

TEST(CSharpDeclaration, HasTheNewOrderAndItsAttribute) {
  TypesInMemory types;
  const auto type = types.addStruct(
      "Shop.Line", {{"count"}, {"class", ElementType::I8}, {"<Total>k__BackingField", ElementType::R8}});
  DeclarationChange change = changeFor(LayoutKind::Auto);
  change.order = {1, 2, 0};
  EXPECT_EQ(declared(types, type, change),
            "// The order of automatic properties is that of their fields.\n"
            "[StructLayout(LayoutKind.Auto)]\n"
            "public struct Line\n"
            "{\n"
            "    public long @class;\n"
            "    public double Total { get; set; }\n"
            "    public int count;\n"
            "}\n");
}

TEST(CSharpDeclaration, NeedsNoAttributeForWhatCSharpDoesAnyway) {
  TypesInMemory types;
  const auto value = types.addStruct("S", {{"a"}});
  const auto object = types.addClass("C", {{"a"}});
  EXPECT_EQ(declared(types, value).find("StructLayout"), std::string::npos);
  EXPECT_EQ(declared(types, object).find("StructLayout"), std::string::npos);
  types.declaration(object).layoutKind = LayoutKind::Sequential;
  types.declaration(object).pack = 2;
  EXPECT_EQ(declared(types, object).find("[StructLayout(LayoutKind.Sequential, Pack = 2)]\npublic class C\n"), 0u);
}

TEST(CSharpDeclaration, GivesOffsetsToExplicitFieldsAndProperties) {
  TypesInMemory types;
  const auto type = types.addStruct("S", {{"a"}, {"<B>k__BackingField", ElementType::I8}});
  DeclarationChange change = changeFor(LayoutKind::Explicit);
  change.order = {1, 0};
  change.explicitOffsets = {0, 8};
  const std::string text = declared(types, type, change);
  EXPECT_NE(text.find("    [field: FieldOffset(0)] public long B { get; set; }\n"), std::string::npos) << text;
  EXPECT_NE(text.find("    [FieldOffset(8)] public int a;\n"), std::string::npos) << text;
}

TEST(CSharpDeclaration, WritesFixedBuffersAndBases) {
  TypesInMemory types;
  const auto buffer = types.addStruct("Packet+<data>e__FixedBuffer", {{"FixedElementField", ElementType::U2}});
  types.declaration(buffer).size = 16;
  const auto packet = types.addStruct("Packet", {TypesInMemory::value("data", buffer)});
  EXPECT_EQ(declared(types, packet), "public unsafe struct Packet\n{\n    public fixed ushort data[8];\n}\n");
  const auto base = types.addClass("Shop.Base", {{"a"}});
  const auto derived = types.addClass("Shop.Derived", {{"b"}});
  types.declaration(derived).base = base;
  EXPECT_EQ(declared(types, derived).find("public class Derived : Base\n"), 0u);
}

TEST(CSharpDeclaration, SaysWhatTheCompilerMakes) {
  TypesInMemory types;
  const auto type = types.addClass("Shop.Program+<Run>d__3", {{"<>1__state"}});
  EXPECT_EQ(declared(types, type).find("// The compiler makes this type"), 0u);
}

}  // namespace
}  // namespace heapscape::engine
