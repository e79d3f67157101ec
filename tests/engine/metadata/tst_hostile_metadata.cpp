// SPDX-License-Identifier: MIT
// Metadata of a real assembly, damaged in every place: reading may give nonsense, but must end and stay inside.
#include "metadata/names/type_name.h"
#include "metadata_testing.h"

namespace heapscape::test {
namespace {

using engine::Metadata;
using engine::TableId;

void readFields(const Metadata& metadata, std::uint32_t typeRow) {
  const auto [first, last] = metadata.fieldRowsOf(typeRow);
  for (std::uint32_t place = first; place < last; ++place) {
    const std::uint32_t row = metadata.fieldRowAt(place);
    (void)metadata.fieldOffset(row);
    const auto field = metadata.field(row);
    if (!field) continue;
    const auto type = engine::decodeFieldSignature(field->signature);
    if (type) (void)signatureTypeName(metadata, *type, {});
  }
}

void readMethod(const Metadata& metadata, std::uint32_t row) {
  const auto method = metadata.methodDef(row);
  const auto signature =
      method ? engine::decodeMethodSignature(method->signature) : engine::failure(engine::ErrorCode::NotFound, {});
  if (!signature) return;
  (void)signatureTypeName(metadata, signature->returned, {});
  for (const auto& parameter : signature->parameters) (void)signatureTypeName(metadata, parameter, {});
}

void readEverything(engine::Bytes bytes) {
  const auto parsedMetadata = Metadata::parse(bytes);
  if (!parsedMetadata) return;
  const Metadata& metadata = **parsedMetadata;
  (void)metadata.mvid();
  (void)metadata.moduleName();
  (void)metadata.assembly();
  (void)metadata.assemblyRef(1);
  (void)metadata.exportedType(1);
  (void)metadata.findTypeDef("Shapes.Five");
  (void)metadata.assemblyAttributeText("System.Reflection.AssemblyInformationalVersionAttribute");
  for (std::uint32_t row = 1; row <= metadata.rowCount(TableId::TypeRef); ++row) (void)metadata.typeRefName(row);
  for (std::uint32_t row = 1; row <= metadata.rowCount(TableId::MethodDef); ++row) readMethod(metadata, row);
  for (std::uint32_t row = 1; row <= metadata.rowCount(TableId::TypeDef); ++row) {
    (void)metadata.typeDefName(row);
    (void)metadata.classLayout(row);
    (void)metadata.genericParamNames({TableId::TypeDef, row});
    (void)metadata.typeAttribute(row, "Shapes.MarkAttribute");
    readFields(metadata, row);
  }
}

TEST(HostileMetadata, IsSurvivedWithAnyByteChanged) {
  const auto good = shapesMetadata();
  ASSERT_FALSE(good.empty());
  for (std::size_t place = 0; place < good.size(); ++place) {
    for (const unsigned flip : {0x01u, 0x80u, 0xffu}) {
      auto bytes = good;
      bytes[place] ^= static_cast<std::byte>(flip);
      readEverything(bytes);
    }
  }
}

TEST(HostileMetadata, IsSurvivedWhenCutAnywhere) {
  const auto good = shapesMetadata();
  for (std::size_t size = 0; size < good.size(); ++size) {
    // A copy of its own, so that a sanitizer sees a read behind the end.
    readEverything(std::vector<std::byte>(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)));
  }
}

TEST(HostileMetadata, WithAMillionTypesOfOneLongNameIsReadInTime) {
  MetadataBuilder builder;
  const auto name = builder.text(std::string(40'000, 'x'));
  for (int row = 0; row < 1'000'000; ++row) {
    // So many types that an index into them is wide.
    builder.addRow(TableId::TypeDef, {MetadataBuilder::u32(0), name, MetadataBuilder::textAt(0),
                                      MetadataBuilder::u32(0), MetadataBuilder::u16(1), MetadataBuilder::u16(1)});
  }
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->findTypeDef("absent"), 0u);
}

TEST(HostileMetadata, GivesNoBlobThatLeavesTheHeap) {
  MetadataBuilder builder;
  builder.addRow(TableId::TypeSpec, {MetadataBuilder::blobAt(builder.blobEnd())});
  builder.addRow(TableId::TypeSpec, {MetadataBuilder::blobAt(0xfffe)});
  builder.addRow(TableId::TypeSpec, {MetadataBuilder::blobAt(0)});
  builder.appendRawBlob({0xdf, 0xff, 0xff, 0xff, 1});
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  for (std::uint32_t row = 1; row <= 3; ++row) {
    ASSERT_TRUE(metadata->typeSpec(row));
    EXPECT_TRUE(metadata->typeSpec(row)->empty());
  }
}

}  // namespace
}  // namespace heapscape::test
