// SPDX-License-Identifier: MIT
// A real assembly, compiled from tests/targets/metadata.
#include "metadata/names/type_name.h"
#include "metadata_testing.h"

namespace heapscape::test {
namespace {

using engine::Metadata;
using engine::TableId;

class ShapesAssembly : public testing::Test {
 protected:
  void SetUp() override {
    m_metadata = parsed(shapesMetadata());
    ASSERT_TRUE(m_metadata);
  }

  std::uint32_t rowOf(std::string_view name) const {
    const std::uint32_t row = m_metadata->findTypeDef(name);
    EXPECT_NE(row, 0u) << name;
    return row;
  }

  /// "name: type" of each field.
  std::vector<std::string> fieldsOf(std::string_view typeName) const {
    std::vector<std::string> fields;
    const std::uint32_t row = rowOf(typeName);
    const auto parameters = m_metadata->genericParamNames({TableId::TypeDef, row});
    const auto argument = [&](std::uint32_t number) { return std::string(parameters.at(number)); };
    const auto [first, last] = m_metadata->fieldRowsOf(row);
    for (std::uint32_t place = first; place < last; ++place) {
      const auto field = m_metadata->field(m_metadata->fieldRowAt(place));
      const auto type = engine::decodeFieldSignature(field->signature);
      const std::string name =
          type ? signatureTypeName(*m_metadata, *type, {argument, {}, {}}) : type.error().message();
      fields.push_back(std::string(field->name) + ": " + name);
    }
    return fields;
  }

  std::shared_ptr<const Metadata> m_metadata;
};

TEST_F(ShapesAssembly, HasItsIdentity) {
  EXPECT_EQ(m_metadata->moduleName(), "shapes.dll");
  EXPECT_EQ(m_metadata->mvid(), "b3c2828a-b4a3-4893-a01e-1dcbf69e58ff");
  ASSERT_TRUE(m_metadata->assembly());
  EXPECT_EQ(m_metadata->assembly()->name, "shapes");
  EXPECT_EQ(m_metadata->assembly()->version, (std::array<std::uint16_t, 4>{1, 2, 3, 4}));
  EXPECT_EQ(m_metadata->assemblyRef(1)->name, "System.Runtime");
  EXPECT_EQ(m_metadata->assemblyRef(1)->version[0], 8);
}

TEST_F(ShapesAssembly, GivesTheInformationalVersion) {
  EXPECT_EQ(m_metadata->assemblyAttributeText("System.Reflection.AssemblyInformationalVersionAttribute"),
            "1.2.3-test+abcdef");
}

TEST_F(ShapesAssembly, NamesItsTypes) {
  std::vector<std::string> names;
  for (std::uint32_t row = 1; row <= m_metadata->rowCount(TableId::TypeDef); ++row) {
    names.push_back(m_metadata->typeDefName(row));
    EXPECT_EQ(m_metadata->findTypeDef(names.back()), row);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"<Module>", "WithoutNamespace", "Shapes.MarkAttribute", "Shapes.Outer`1",
                                             "Shapes.Fields`1", "Shapes.References", "Shapes.Overlay", "Shapes.Packed",
                                             "Shapes.Five", "Shapes.IEmpty", "Shapes.Colour", "Shapes.Outer`1+Middle",
                                             "Shapes.Outer`1+Middle+Inner`2"}));
}

TEST_F(ShapesAssembly, NamesTheTypesOfFields) {
  EXPECT_EQ(fieldsOf("Shapes.Fields`1"),
            (std::vector<std::string>{
                "Constant: System.Int32", "Static: System.String", "Flag: System.Boolean", "Letter: System.Char",
                "Parameter: T", "Vector: T[]", "Matrix: System.Int32[,]", "Jagged: System.Int32[,][]",
                "Pointer: System.Byte*", "Untyped: System.Void*", "Native: System.IntPtr",
                "Function: System.Int32 (System.Byte, System.Object)",
                "Map: System.Collections.Generic.Dictionary<System.String, System.Collections.Generic.List<T>>",
                "Optional: System.Nullable<System.Collections.Generic.KeyValuePair<System.Int32, T>>",
                "Modified: System.Int32", "Folder: System.Environment+SpecialFolder", "Day: System.DayOfWeek",
                "Anything: System.Object"}));
  EXPECT_EQ(fieldsOf("Shapes.Outer`1"),
            std::vector<std::string>{"Nested: Shapes.Outer<TKey>+Middle+Inner<System.String, System.Int32[]>"});
  EXPECT_EQ(fieldsOf("Shapes.References"), std::vector<std::string>{"Number: System.Int32&"});
  EXPECT_TRUE(fieldsOf("Shapes.IEmpty").empty());
}

TEST_F(ShapesAssembly, KnowsGenericParametersAndNesting) {
  const std::uint32_t inner = rowOf("Shapes.Outer`1+Middle+Inner`2");
  EXPECT_EQ(m_metadata->genericParamNames({TableId::TypeDef, inner}),
            (std::vector<std::string_view>{"TKey", "TFirst", "TSecond"}));
  EXPECT_EQ(m_metadata->enclosingTypeDef(inner), rowOf("Shapes.Outer`1+Middle"));
}

TEST_F(ShapesAssembly, KnowsLayouts) {
  const std::uint32_t overlay = rowOf("Shapes.Overlay");
  ASSERT_TRUE(m_metadata->classLayout(overlay));
  EXPECT_EQ(m_metadata->classLayout(overlay)->classSize, 24u);
  const auto [first, last] = m_metadata->fieldRowsOf(overlay);
  ASSERT_EQ(last - first, 2u);
  EXPECT_EQ(m_metadata->fieldOffset(first), 0u);
  EXPECT_EQ(m_metadata->fieldOffset(first + 1), 4u);
  EXPECT_EQ(m_metadata->classLayout(rowOf("Shapes.Packed"))->packingSize, 1);
  EXPECT_FALSE(m_metadata->classLayout(rowOf("Shapes.References")));
}

TEST_F(ShapesAssembly, GivesAttributesOfTypes) {
  const auto length =
      m_metadata->typeAttribute(rowOf("Shapes.Five"), "System.Runtime.CompilerServices.InlineArrayAttribute");
  ASSERT_TRUE(length);
  std::int32_t count = 0;
  ASSERT_TRUE(engine::tryReadAt(*length, 2, count));
  EXPECT_EQ(count, 5);
  EXPECT_TRUE(m_metadata->typeAttribute(rowOf("Shapes.Outer`1"), "Shapes.MarkAttribute")) << "of the same module";
  EXPECT_FALSE(m_metadata->typeAttribute(rowOf("Shapes.Packed"), "Shapes.MarkAttribute"));
}

TEST_F(ShapesAssembly, ForwardsATypeToAnotherAssembly) {
  const auto forwarded = m_metadata->exportedType(1);
  ASSERT_TRUE(forwarded);
  EXPECT_EQ(forwarded->nameSpace, "System");
  EXPECT_EQ(forwarded->name, "Uri");
  EXPECT_EQ(forwarded->implementation.table, TableId::AssemblyRef);
}

}  // namespace
}  // namespace heapscape::test
