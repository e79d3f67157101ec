// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "metadata/image/pe_image.h"
#include "metadata/metadata.h"
#include "support/builders/metadata_builder.h"

namespace heapscape::test {

/// Metadata that keeps its own bytes; null (and a failed test) if they cannot be read.
inline std::shared_ptr<const engine::Metadata> parsed(std::vector<std::byte> bytes) {
  auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  auto metadata = engine::Metadata::parse(*owner, owner);
  if (!metadata) {
    ADD_FAILURE() << metadata.error().message();
    return nullptr;
  }
  return *metadata;
}

inline std::shared_ptr<const engine::Metadata> parsed(const MetadataBuilder& builder) {
  return parsed(builder.build());
}

inline engine::PeReader readerOf(engine::Bytes image) {
  return [image](std::uint64_t offset, std::span<std::byte> target) {
    engine::Bytes slice;
    if (!engine::trySlice(image, offset, target.size(), slice)) return false;
    std::memcpy(target.data(), slice.data(), slice.size());
    return true;
  };
}

/// The small assembly of tests/targets/metadata, as it lies on disk.
inline std::vector<std::byte> shapesImage() {
  std::ifstream file(HEAPSCAPE_TEST_DATA "/metadata/shapes.dll", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

inline std::vector<std::byte> shapesMetadata() {
  const auto image = shapesImage();
  const auto place = engine::locateMetadata(readerOf(image), false);
  if (!place) {
    ADD_FAILURE() << place.error().message();
    return {};
  }
  const auto bytes = engine::Bytes(image).subspan(place->offset, place->sizeBytes);
  return {bytes.begin(), bytes.end()};
}

}  // namespace heapscape::test
