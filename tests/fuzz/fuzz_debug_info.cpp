// SPDX-License-Identifier: MIT
#include "fuzz_target.h"
#include "metadata/image/portable_pdb.h"
#include "stacks/debug_info/debug_info.h"
#include "support/builders/metadata_builder.h"
#include "support/builders/nibble_writer.h"

using namespace heapscape;

namespace {

void readDebugInfo(engine::Bytes bytes, const engine::DebugInfoRules& rules) {
  engine::DebugInfo info;
  if (auto mappings = engine::parseIlMappings(bytes, rules)) info.mappings = std::move(*mappings);
  if (auto places = engine::parseVariablePlaces(bytes, rules)) info.variables = std::move(*places);
  if (auto points = engine::parseSuspensionPoints(bytes, rules)) info.suspensions = std::move(*points);
  for (const std::uint32_t offset : {0u, 1u, 100u, 0xffffffffu}) {
    (void)engine::ilOffsetAt(info, offset, false);
    (void)engine::ilOffsetAt(info, offset, true);
    (void)engine::suspensionAt(info, offset);
  }
}

void readPdb(engine::Bytes bytes) {
  const auto pdb = engine::PortablePdb::parse(bytes);
  if (!pdb) return;
  for (std::uint32_t row = 0; row < 10; ++row) {
    (void)(*pdb)->lineOf(row, 7);
    (void)(*pdb)->localName(row, 0, 7);
    (void)(*pdb)->localName(row, 0, std::nullopt);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = fuzz::bytesOf(data, size);
  readDebugInfo(bytes, {});
  readDebugInfo(bytes, {.arePacked = true});
  readDebugInfo(bytes, {.arePacked = true, .sourceBits = 3, .isVariableFirst = true, .leastVariable = -6});
  readPdb(bytes);
  return 0;
}

namespace heapscape::fuzz {
namespace {

using engine::TableId;
using test::MetadataBuilder;

std::vector<std::byte> pdb() {
  MetadataBuilder builder;
  builder.usePdbStream(7, {{TableId::MethodDef, 2}});
  const MetadataBuilder::Cell noGuid{0, MetadataBuilder::Width::GuidIndex};
  const auto part = builder.blob({'a', '.', 'c', 's'});
  builder.addRow(TableId::Document, {builder.blob({'/', 0, part.value}), noGuid, MetadataBuilder::blobAt(0), noGuid});
  builder.addRow(TableId::MethodDebugInformation,
                 {MetadataBuilder::u16(1), builder.blob({0, 2, 0, 4, 10, 1, 3, 0, 0, 4, 1, 4, 117, 0})});
  builder.addRow(TableId::LocalScope, {MetadataBuilder::u16(1), MetadataBuilder::u16(0), MetadataBuilder::u16(1),
                                       MetadataBuilder::u16(1), MetadataBuilder::u32(0), MetadataBuilder::u32(20)});
  builder.addRow(TableId::LocalVariable, {MetadataBuilder::u16(0), MetadataBuilder::u16(0), builder.text("order")});
  builder.addRow(TableId::StateMachineMethod, {MetadataBuilder::u16(2), MetadataBuilder::u16(1)});
  return builder.build();
}

}  // namespace

std::vector<test::FileBytes> seeds() {
  test::NibbleWriter mappings;
  mappings.add(3).add(0).add(1).add(2).add(20).add(3).add(2).add(5).add(90).add(16);
  test::NibbleWriter packed;
  packed.add(3).add(4).add(5);
  for (const unsigned value : {7u, 1u, 400u, 30u, 5000u}) packed.add(value);
  test::NibbleWriter places;
  places.add(3);
  places.add(0).add(90).add(4).add(0).add(3);
  places.add(8).add(50).add(5).add(3).add(5).addSigned(-24);
  places.add(8).add(50).add(6).add(7).addSigned(-24).add(5).add(1);
  test::NibbleWriter points;
  points.add(2).add(3).addSigned(120).add(1).addSigned(40).add(2).add(7).add(56).add(6).add(64).add(9).add(72);
  return {mappings.bytes(), packed.bytes(), places.bytes(), points.bytes(), pdb()};
}

}  // namespace heapscape::fuzz
