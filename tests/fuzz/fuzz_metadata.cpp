// SPDX-License-Identifier: MIT
#include "fuzz_target.h"
#include "metadata/metadata.h"
#include "metadata/signature.h"
#include "support/builders/metadata_builder.h"

using namespace heapscape;

namespace {

void readTypes(const engine::Metadata& metadata, std::uint32_t rows) {
  for (std::uint32_t row = 1; row <= rows; ++row) {
    (void)metadata.typeDef(row);
    (void)metadata.typeDefName(row);
    (void)metadata.classLayout(row);
    (void)metadata.enclosingTypeDef(row);
    (void)metadata.genericParamNames({engine::TableId::TypeDef, row});
    (void)metadata.typeAttribute(row, "System.Runtime.CompilerServices.InlineArrayAttribute");
    const auto [first, last] = metadata.fieldRowsOf(row);
    for (std::uint32_t place = first; place < last && place < first + 100; ++place) {
      const auto field = metadata.field(metadata.fieldRowAt(place));
      if (field) (void)engine::decodeFieldSignature(field->signature);
      (void)metadata.fieldOffset(place);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parsed = engine::Metadata::parse(fuzz::bytesOf(data, size));
  if (!parsed) return 0;
  const engine::Metadata& metadata = **parsed;
  constexpr std::uint32_t kMostRows = 300;  // a file of a few bytes may claim millions of rows of no size
  const auto rows = [&](engine::TableId table) { return std::min(metadata.rowCount(table), kMostRows); };
  (void)metadata.moduleName();
  (void)metadata.mvid();
  (void)metadata.assembly();
  (void)metadata.assemblyAttributeText("System.Reflection.AssemblyInformationalVersionAttribute");
  (void)metadata.findTypeDef("Shop.Order");
  readTypes(metadata, rows(engine::TableId::TypeDef));
  for (std::uint32_t row = 1; row <= rows(engine::TableId::TypeRef); ++row) (void)metadata.typeRefName(row);
  for (std::uint32_t row = 1; row <= rows(engine::TableId::ExportedType); ++row) (void)metadata.exportedType(row);
  for (std::uint32_t row = 1; row <= rows(engine::TableId::GenericParam); ++row) (void)metadata.genericParam(row);
  for (std::uint32_t row = 1; row <= rows(engine::TableId::AssemblyRef); ++row) (void)metadata.assemblyRef(row);
  for (std::uint32_t row = 1; row <= rows(engine::TableId::TypeSpec); ++row) {
    if (const auto signature = metadata.typeSpec(row)) (void)engine::decodeTypeSpec(*signature);
  }
  return 0;
}

namespace heapscape::fuzz {

using test::MetadataBuilder;

namespace {

MetadataBuilder shop() {
  MetadataBuilder builder;
  builder.addRow(engine::TableId::Module, {MetadataBuilder::u16(0),
                                           builder.text("shop.dll"),
                                           builder.guid({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}),
                                           {0, MetadataBuilder::Width::GuidIndex},
                                           {0, MetadataBuilder::Width::GuidIndex}});
  builder.addTypeDef("", "<Module>");
  const std::uint32_t order = builder.addTypeDef("Shop", "Order");
  builder.addNested(builder.addTypeDef("", "Line`1", 2), order);
  builder.addTypeRef(MetadataBuilder::coded(0, 2, 1), "System", "Object");
  builder.addRow(engine::TableId::Field, {MetadataBuilder::u16(1), builder.text("m_id"), builder.blob({6, 8})});
  builder.addRow(engine::TableId::Field,
                 {MetadataBuilder::u16(1), builder.text("m_lines"), builder.blob({6, 0x1d, 0x12, 8})});
  builder.addRow(engine::TableId::TypeSpec, {builder.blob({0x15, 0x12, 8, 1, 0x0e})});
  return builder;
}

}  // namespace

std::vector<test::FileBytes> seeds() {
  MetadataBuilder wide = shop();
  wide.useWideHeaps();
  MetadataBuilder edited = shop();
  edited.useUncompressedStream();
  edited.addExtraData();
  return {shop().build(), wide.build(), edited.build(), MetadataBuilder().build()};
}

}  // namespace heapscape::fuzz
