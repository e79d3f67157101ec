// SPDX-License-Identifier: MIT
#include <algorithm>
#include <fstream>
#include <iterator>

#include "fuzz_target.h"
#include "layout/declared/metadata_types.h"
#include "metadata/image/pe_image.h"

using namespace heapscape;

namespace {

// The list may be long, which costs time and finds nothing new.
constexpr std::size_t kMostTypes = 300;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto metadata = engine::Metadata::parse(fuzz::bytesOf(data, size));
  if (!metadata) return 0;
  engine::MetadataTypes types(nullptr);
  // Under this name it is its own CoreLib, whose types have rules of their own.
  const engine::AssemblyId home =
      types.add({.name = "System.Private.CoreLib", .path = {}, .version = {}, .metadata = *metadata});
  std::vector<engine::ClosedTypeId> all = types.allTypesOf(home);
  all.resize(std::min(all.size(), kMostTypes));
  for (const engine::ClosedTypeId type : all) {
    (void)types.parse(home, types.nameOf(type));
    const auto declaration = types.declarationOf(type);
    if (!declaration) continue;
    for (const engine::FieldDeclaration& field : (*declaration)->fields) (void)types.fieldTypeName(type, field);
  }
  (void)types.openDefinitionsOf(home);
  return 0;
}

namespace heapscape::fuzz {

std::vector<test::FileBytes> seeds() {
  std::ifstream file(HEAPSCAPE_TEST_DATA "/metadata/shapes.dll", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const engine::Bytes image = std::as_bytes(std::span(text));
  const auto location = engine::locateMetadata(
      [image](std::uint64_t offset, std::span<std::byte> target) {
        engine::Bytes slice;
        if (!engine::trySlice(image, offset, target.size(), slice)) return false;
        std::ranges::copy(slice, target.begin());
        return true;
      },
      false);
  if (!location) return {};
  const engine::Bytes metadata = image.subspan(location->offset, location->sizeBytes);
  return {{metadata.begin(), metadata.end()}};
}

}  // namespace heapscape::fuzz
