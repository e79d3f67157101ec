// SPDX-License-Identifier: MIT
#include "metadata_testing.h"

namespace heapscape::test {
namespace {

using engine::ErrorCode;
using engine::Metadata;
using engine::TableId;
using engine::Token;
using Builder = MetadataBuilder;

void addModule(Builder& builder) {
  const auto mvid =
      builder.guid({0xe0, 0x04, 0x25, 0x3f, 0x89, 0x4f, 0xd3, 0x11, 0x9a, 0x0c, 0x03, 0x05, 0xe8, 0x2c, 0x33, 0x01});
  const Builder::Cell none{0, Builder::Width::GuidIndex};
  builder.addRow(TableId::Module, {Builder::u16(0), builder.text("a.dll"), mvid, none, none});
}

void addSample(Builder& builder) {
  addModule(builder);
  builder.addTypeDef("", "<Module>");
  builder.addTypeDef("Space", "First", 1);
  builder.addTypeDef("Space", "Second", 3);
  for (const char* name : {"one", "two", "three"}) {
    builder.addRow(TableId::Field, {Builder::u16(0x16), builder.text(name), builder.blob({0x06, 0x08})});
  }
}

void expectSample(const Metadata& metadata) {
  EXPECT_EQ(metadata.moduleName(), "a.dll");
  EXPECT_EQ(metadata.mvid(), "3f2504e0-4f89-11d3-9a0c-0305e82c3301");
  EXPECT_EQ(metadata.typeDefName(3), "Space.Second");
  const auto field = metadata.field(3);
  ASSERT_TRUE(field);
  EXPECT_EQ(field->name, "three");
  EXPECT_EQ(field->flags, 0x16);
  ASSERT_EQ(field->signature.size(), 2u);
  EXPECT_EQ(field->signature[0], std::byte{0x06});
}

TEST(MetadataTables, ReadsNarrowHeapIndices) {
  Builder builder;
  addSample(builder);
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  expectSample(*metadata);
}

TEST(MetadataTables, ReadsWideHeapIndices) {
  Builder builder;
  builder.useWideHeaps();
  addSample(builder);
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  expectSample(*metadata);
}

TEST(MetadataTables, ReadsTheEditAndContinueStreamWithItsExtraData) {
  Builder builder;
  builder.useUncompressedStream();
  builder.addExtraData();
  addSample(builder);
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  expectSample(*metadata);
}

TEST(MetadataTables, IgnoresTablesOfPortablePdbs) {
  Builder builder;
  addSample(builder);
  constexpr unsigned kDocument = 0x30;
  builder.claimRows(kDocument, 1'000'000'000);
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  expectSample(*metadata);
}

TEST(MetadataTables, WidensTableIndicesWithTheRowCount) {
  Builder builder;
  constexpr std::uint32_t kFields = 0x10000;
  builder.addRow(TableId::TypeDef, {Builder::u32(0), builder.text("Big"), builder.text(""), Builder::coded(0, 2, 0),
                                    Builder::u32(kFields), Builder::u16(1)});
  for (std::uint32_t row = 1; row < kFields; ++row) {
    builder.addRow(TableId::Field, {Builder::u16(0), Builder::textAt(0), Builder::blobAt(0)});
  }
  builder.addRow(TableId::Field, {Builder::u16(0), builder.text("last"), Builder::blobAt(0)});
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->fieldRowsOf(1), std::pair(kFields, kFields + 1));
  EXPECT_EQ(metadata->field(kFields)->name, "last");
}

TEST(MetadataTables, WidensCodedIndicesWithTheLargestTable) {
  Builder builder;
  constexpr std::uint32_t kTypeRefs = 0x4000;  // two bits of tag leave 14 for the row
  builder.addRow(TableId::TypeDef, {Builder::u32(0), builder.text("Derived"), builder.text(""),
                                    Builder::u32(kTypeRefs << 2 | 1), Builder::u16(1), Builder::u16(1)});
  for (std::uint32_t row = 0; row < kTypeRefs; ++row) {
    builder.addRow(TableId::TypeRef, {Builder::u32(0), Builder::textAt(0), Builder::textAt(0)});
  }
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->typeDef(1)->extends, (Token{TableId::TypeRef, kTypeRefs}));
}

TEST(MetadataTables, GivesEachTypeItsOwnFields) {
  Builder builder;
  addSample(builder);
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->fieldRowsOf(2), std::pair(1u, 3u));
  EXPECT_EQ(metadata->fieldRowsOf(3), std::pair(3u, 4u));
  EXPECT_EQ(metadata->fieldRowsOf(1), std::pair(0u, 0u)) << "no fields of its own";
  EXPECT_EQ(metadata->fieldRowsOf(4), std::pair(0u, 0u)) << "no such type";
}

TEST(MetadataTables, FollowsFieldPointers) {
  Builder builder;
  builder.useUncompressedStream();
  addSample(builder);
  for (const std::uint32_t target : {3u, 1u, 9u}) builder.addRow(TableId::FieldPtr, {Builder::u16(target)});
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  EXPECT_TRUE(metadata->fieldsAreIndirect());
  EXPECT_EQ(metadata->fieldRowsOf(2), std::pair(1u, 3u));
  EXPECT_EQ(metadata->fieldRowAt(1), 3u);
  EXPECT_EQ(metadata->fieldRowAt(2), 1u);
  EXPECT_EQ(metadata->fieldRowAt(3), 0u) << "points beyond the fields";
  EXPECT_EQ(metadata->fieldRowAt(4), 0u) << "no such pointer";
}

TEST(MetadataTables, FindsLayoutsInUnsortedTables) {
  Builder builder;
  addSample(builder);
  builder.addRow(TableId::ClassLayout, {Builder::u16(8), Builder::u32(24), Builder::u16(3)});
  builder.addRow(TableId::ClassLayout, {Builder::u16(1), Builder::u32(0), Builder::u16(2)});
  builder.addRow(TableId::FieldLayout, {Builder::u32(16), Builder::u16(2)});
  builder.addRow(TableId::FieldLayout, {Builder::u32(0), Builder::u16(1)});
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  ASSERT_TRUE(metadata->classLayout(2));
  EXPECT_EQ(metadata->classLayout(2)->packingSize, 1);
  EXPECT_EQ(metadata->classLayout(3)->classSize, 24u);
  EXPECT_FALSE(metadata->classLayout(1));
  EXPECT_EQ(metadata->fieldOffset(1), 0u);
  EXPECT_EQ(metadata->fieldOffset(2), 16u);
  EXPECT_FALSE(metadata->fieldOffset(3));
}

TEST(MetadataTables, OrdersGenericParametersByNumber) {
  Builder builder;
  addSample(builder);
  const auto owner = Builder::coded(0, 1, 2);
  const auto method = Builder::coded(1, 1, 2);
  builder.addRow(TableId::GenericParam, {Builder::u16(1), Builder::u16(0), owner, builder.text("TValue")});
  builder.addRow(TableId::GenericParam, {Builder::u16(0), Builder::u16(0), method, builder.text("TMethod")});
  builder.addRow(TableId::GenericParam, {Builder::u16(0), Builder::u16(0), owner, builder.text("TKey")});
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->genericParamNames({TableId::TypeDef, 2}), (std::vector<std::string_view>{"TKey", "TValue"}));
  EXPECT_EQ(metadata->genericParamNames({TableId::MethodDef, 2}), (std::vector<std::string_view>{"TMethod"}));
  EXPECT_TRUE(metadata->genericParamNames({TableId::TypeDef, 1}).empty());
}

TEST(MetadataTables, GivesNothingForRowsThatDoNotExist) {
  Builder builder;
  addSample(builder);
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  for (const std::uint32_t row : {0u, 4u, 0xffffffu, 0xffffffffu}) {
    EXPECT_FALSE(metadata->typeDef(row));
    EXPECT_FALSE(metadata->typeRef(row));
    EXPECT_FALSE(metadata->field(row));
    EXPECT_FALSE(metadata->typeSpec(row));
    EXPECT_FALSE(metadata->exportedType(row));
    EXPECT_FALSE(metadata->genericParam(row));
    EXPECT_FALSE(metadata->assemblyRef(row));
    EXPECT_TRUE(metadata->typeDefName(row).empty());
  }
  EXPECT_FALSE(metadata->assembly());
  EXPECT_EQ(metadata->rowCount(static_cast<TableId>(0xff)), 0u);
}

TEST(MetadataTables, FailsOnWhatIsNoMetadata) {
  EXPECT_EQ(Metadata::parse({}).error().code, ErrorCode::Damaged);
  const std::vector<std::byte> zeros(100);
  EXPECT_EQ(Metadata::parse(zeros).error().code, ErrorCode::Damaged);
}

TEST(MetadataTables, FailsOnRowsBeyondTheStream) {
  for (const std::uint32_t count : {100u, 0xffffffu, 0xffffffffu}) {
    Builder builder;
    addSample(builder);
    builder.claimRows(static_cast<unsigned>(TableId::TypeDef), count);
    const auto bytes = builder.build();
    const auto metadata = Metadata::parse(bytes);
    ASSERT_FALSE(metadata);
    EXPECT_EQ(metadata.error().code, ErrorCode::Damaged);
  }
}

}  // namespace
}  // namespace heapscape::test
