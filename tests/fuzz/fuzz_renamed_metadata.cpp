// SPDX-License-Identifier: MIT
#include <cstdlib>

#include "fuzz_target.h"
#include "redact/renamed_metadata.h"
#include "support/builders/metadata_builder.h"

using namespace heapscape;

// The input is metadata. Whatever it says, nothing outside of it is replaced.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr engine::Address kStart{0x10000};
  const engine::Bytes metadata = fuzz::bytesOf(data, size);
  const auto tables = engine::MetadataTables::parse(metadata);
  if (!tables) return 0;
  engine::RenamedNames names({"Shop"}, nullptr);
  engine::MemoryPlan plan;
  if (!engine::renameMetadata(*tables, metadata, kStart, names, plan)) return 0;
  plan.finish();
  const engine::AddressRange whole{kStart, kStart + size};
  for (const engine::ReplacedBytes& one : plan.replacedIn({{0}, {~std::uint64_t{0}}}))
    if (!whole.contains(one.address) || one.bytes.size() > whole.end - one.address) std::abort();
  return 0;
}

namespace heapscape::fuzz {

using test::MetadataBuilder;

std::vector<test::FileBytes> seeds() {
  MetadataBuilder builder;
  builder.addTypeDef("", "<Module>");
  const std::uint32_t order = builder.addTypeDef("Shop.Orders", "Order");
  builder.addNested(builder.addTypeDef("", "<Ship>d__1`1", 2), order);
  builder.addTypeRef(MetadataBuilder::coded(0, 2, 1), "Shop.Orders", "Line");
  builder.addTypeRef(MetadataBuilder::coded(0, 2, 1), "System", "Object");
  builder.addRow(engine::TableId::Field, {MetadataBuilder::u16(1), builder.text("m_id"), builder.blob({6, 8})});
  builder.addRow(engine::TableId::TypeSpec, {builder.blob({0x15, 0x12, 8, 1, 0x0e})});
  MetadataBuilder edited = builder;
  edited.useUncompressedStream();
  return {builder.build(), edited.build()};
}

}  // namespace heapscape::fuzz
