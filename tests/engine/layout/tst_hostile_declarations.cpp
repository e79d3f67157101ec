// SPDX-License-Identifier: MIT
// Metadata that no compiler writes: whatever it says, declarations end with an answer or a reason.
#include <gtest/gtest.h>

#include "layout/declared/metadata_types.h"
#include "support/builders/metadata_builder.h"

namespace heapscape::engine {
namespace {

using test::MetadataBuilder;

constexpr std::uint32_t kTypeDef = 0;  // tags of TypeDefOrRef
constexpr std::uint32_t kTypeRef = 1;
constexpr std::uint32_t kTypeSpec = 2;

/// An assembly in the making, with System.ValueType as its first TypeRef.
class HostileDeclarations : public testing::Test {
 protected:
  HostileDeclarations() {
    m_builder.addTypeRef(MetadataBuilder::coded(2, 2, 1), "System", "ValueType");
    m_builder.addRow(TableId::AssemblyRef, {u16(1),
                                            u16(0),
                                            u16(0),
                                            u16(0),
                                            MetadataBuilder::u32(0),
                                            {0, Blob},
                                            m_builder.text("System.Runtime"),
                                            {0, Blob},
                                            {0, Blob}});
    add("<Module>", MetadataBuilder::coded(kTypeDef, 2, 0));
  }
  static MetadataBuilder::Cell u16(std::uint32_t value) { return MetadataBuilder::u16(value); }
  static constexpr auto Blob = MetadataBuilder::Width::BlobIndex;

  std::uint32_t add(std::string_view name, MetadataBuilder::Cell extends) {
    return m_builder.addRow(TableId::TypeDef, {MetadataBuilder::u32(0), m_builder.text(name), m_builder.text("N"),
                                               extends, u16(m_fields + 1), u16(1)});
  }
  std::uint32_t addStruct(std::string_view name) { return add(name, MetadataBuilder::coded(kTypeRef, 2, 1)); }
  void addField(std::initializer_list<unsigned> signature) {
    m_builder.addRow(TableId::Field, {u16(0), m_builder.text("m_x"), m_builder.blob(signature)});
    ++m_fields;
  }
  void addParameter(std::uint32_t owner) {
    m_builder.addRow(TableId::GenericParam, {u16(0), u16(0), u16(owner << 1), m_builder.text("T")});
  }

  /// Adds the assembly to the types.
  void build() {
    auto bytes = std::make_shared<const std::vector<std::byte>>(m_builder.build());
    auto metadata = Metadata::parse(*bytes, bytes);
    ASSERT_TRUE(metadata) << metadata.error().message();
    m_home = m_types.add({.name = "Hostile", .path = {}, .version = {}, .metadata = *metadata});
  }
  std::string whyNot(std::uint32_t row) {
    const auto type = m_types.instantiate(m_home, row, {});
    if (!type) return type.error().what;
    const auto declaration = m_types.declarationOf(*type);
    return declaration ? "" : declaration.error().what;
  }

  MetadataBuilder m_builder;
  std::uint32_t m_fields = 0;
  MetadataTypes m_types{nullptr};
  AssemblyId m_home;
};

constexpr unsigned kField = 0x06;
constexpr unsigned kValueType = 0x11;
constexpr unsigned kClass = 0x12;
constexpr unsigned kGenericInst = 0x15;

unsigned typeDefToken(std::uint32_t row) {
  return row << 2;
}

TEST_F(HostileDeclarations, AStructMayHoldItself) {
  const std::uint32_t row = addStruct("Self");
  addField({kField, kValueType, typeDefToken(row)});
  build();
  EXPECT_EQ(whyNot(row), "");  // the rules find the circle
  EXPECT_EQ(m_types.allTypesOf(m_home).size(), 1u);
}

TEST_F(HostileDeclarations, GenericsThatGrowWithoutEndAreCut) {
  const std::uint32_t row = addStruct("Grow`1");
  // Grow<T> holds a Grow<Grow<T>>.
  addField({kField, kGenericInst, kValueType, typeDefToken(row), 1, kGenericInst, kValueType, typeDefToken(row), 1,
            0x13, 0});
  addParameter(row);
  const std::uint32_t start = addStruct("Start");
  addField({kField, kGenericInst, kValueType, typeDefToken(row), 1, 0x08});
  build();
  EXPECT_EQ(whyNot(start), "");
  EXPECT_LT(m_types.allTypesOf(m_home).size(), 100u);
}

TEST_F(HostileDeclarations, GenericsThatBranchWithoutEndAreCut) {
  const std::uint32_t first = addStruct("Left`1");
  addField(
      {kField, kGenericInst, kValueType, typeDefToken(2), 1, kGenericInst, kValueType, typeDefToken(2), 1, 0x13, 0});
  addField(
      {kField, kGenericInst, kValueType, typeDefToken(2), 1, kGenericInst, kValueType, typeDefToken(3), 1, 0x13, 0});
  const std::uint32_t second = addStruct("Right`1");
  addParameter(first);
  addParameter(second);
  const std::uint32_t start = addStruct("Start");
  addField({kField, kGenericInst, kValueType, typeDefToken(first), 1, 0x08});
  build();
  EXPECT_EQ(whyNot(start), "");
  EXPECT_LE(m_types.allTypesOf(m_home).size(), 250'000u);
}

TEST_F(HostileDeclarations, BasesMayRunInACircle) {
  const std::uint32_t a = add("A", MetadataBuilder::coded(kTypeDef, 2, 3));
  const std::uint32_t b = add("B", MetadataBuilder::coded(kTypeDef, 2, 2));
  build();
  EXPECT_EQ(whyNot(a), "");
  EXPECT_EQ(whyNot(b), "");
  EXPECT_EQ(m_types.allTypesOf(m_home).size(), 2u);
}

TEST_F(HostileDeclarations, ABaseMayBeAnything) {
  m_builder.addRow(TableId::TypeSpec, {m_builder.blob({kClass, 2})});  // TypeSpec 1: itself
  m_builder.addRow(TableId::TypeSpec, {m_builder.blob({0x1d, 0x08})});
  const std::uint32_t self = add("Self", MetadataBuilder::coded(kTypeSpec, 2, 1));
  const std::uint32_t array = add("Array", MetadataBuilder::coded(kTypeSpec, 2, 2));
  const std::uint32_t none = add("None", MetadataBuilder::coded(kTypeSpec, 2, 77));
  const std::uint32_t wrong = add("Wrong", MetadataBuilder::coded(kTypeDef, 2, 999));
  const std::uint32_t valueType = addStruct("Struct");
  const std::uint32_t derived = add("Derived", MetadataBuilder::coded(kTypeDef, 2, valueType));
  build();
  for (const std::uint32_t row : {self, array, none, wrong, derived}) EXPECT_NE(whyNot(row), "") << row;
}

TEST_F(HostileDeclarations, FieldsMayBeOfAnyType) {
  const std::uint32_t row = addStruct("Odd");
  addField({});
  build();
  EXPECT_NE(whyNot(row), "");
}

TEST_F(HostileDeclarations, AFieldThatIsNoFieldSaysWhich) {
  const std::vector<std::initializer_list<unsigned>> signatures = {
      {0x07, 0x08},                                                  // not a field's
      {kField},                                                      // cut
      {kField, 0x01},                                                // void
      {kField, 0x13, 9},                                             // a parameter that is not there
      {kField, 0x1e, 0},                                             // a method's parameter
      {kField, kValueType, typeDefToken(30)},                        // no such row
      {kField, kValueType, 3},                                       // no such table
      {kField, kValueType, typeDefToken(2) | 2},                     // a TypeSpec where none may be
      {kField, kGenericInst, kValueType, typeDefToken(2), 1, 0x08},  // arguments of a type without parameters
      {kField, 0x21, 1, 2, 3, 4, 5, 6, 7, 8},                        // an address of a process
      {kField, 0x7f},
  };
  std::vector<std::uint32_t> rows;
  for (const auto& signature : signatures) {
    rows.push_back(addStruct("Odd"));
    addField(signature);
  }
  build();
  for (const std::uint32_t row : rows) {
    EXPECT_TRUE(whyNot(row).starts_with("The type of the field m_x is not known")) << row << ": " << whyNot(row);
  }
  EXPECT_EQ(m_types.allTypesOf(m_home).size(), rows.size());
}

TEST_F(HostileDeclarations, ReferencesToNowhereAreLaidOutAllTheSame) {
  const std::uint32_t row = addStruct("Holder");
  addField({kField, kClass, typeDefToken(30)});
  addField({kField, 0x1d, kClass, typeDefToken(30)});
  addField({kField, 0x0f, kValueType, typeDefToken(30)});
  build();
  EXPECT_EQ(whyNot(row), "");
  const ClosedTypeId type = *m_types.instantiate(m_home, row, {});
  const TypeDeclaration& declaration = **m_types.declarationOf(type);
  ASSERT_EQ(declaration.fields.size(), 3u);
  EXPECT_EQ(declaration.fields[0].element, ElementType::Class);
  EXPECT_EQ(declaration.fields[1].element, ElementType::Class);
  EXPECT_EQ(declaration.fields[2].element, ElementType::Ptr);
  EXPECT_EQ(m_types.fieldTypeName(type, declaration.fields[1]), "?[]");
}

TEST_F(HostileDeclarations, FieldsBeyondTheTableAreNotThere) {
  const std::uint32_t row =
      m_builder.addRow(TableId::TypeDef, {MetadataBuilder::u32(0), m_builder.text("Beyond"), m_builder.text("N"),
                                          MetadataBuilder::coded(kTypeRef, 2, 1), u16(50'000), u16(1)});
  build();
  EXPECT_EQ(whyNot(row), "");
  EXPECT_TRUE((*m_types.declarationOf(*m_types.instantiate(m_home, row, {})))->fields.empty());
}

TEST_F(HostileDeclarations, ForwardersMayRunInACircle) {
  m_builder.addRow(TableId::ExportedType, {MetadataBuilder::u32(0), MetadataBuilder::u32(0), m_builder.text("Gone"),
                                           m_builder.text("N"), MetadataBuilder::coded(1, 2, 2)});
  m_builder.addRow(TableId::AssemblyRef, {u16(1),
                                          u16(0),
                                          u16(0),
                                          u16(0),
                                          MetadataBuilder::u32(0),
                                          {0, Blob},
                                          m_builder.text("Hostile"),
                                          {0, Blob},
                                          {0, Blob}});
  build();
  const auto type = m_types.parse(m_home, "N.Gone");
  ASSERT_FALSE(type);
  EXPECT_FALSE(type.error().what.empty());
}

TEST_F(HostileDeclarations, RowsThatAreNotThereAreNoTypes) {
  build();
  EXPECT_FALSE(m_types.instantiate(m_home, 0, {}));
  EXPECT_FALSE(m_types.instantiate(m_home, 77, {}));
}

}  // namespace
}  // namespace heapscape::engine
