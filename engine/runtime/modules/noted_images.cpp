// SPDX-License-Identifier: MIT
#include "runtime/modules/noted_images.h"

#include <algorithm>

#include "base/unicode.h"
#include "runtime/modules/modules.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kMostPathBytes = 64 * 1024;

// An SString (src/coreclr/inc/sstring.h) whose characters are UTF-16, with a zero at the end.
std::string readPath(const ClrRuntime& runtime, Address text) {
  const auto size = runtime.valueAt<std::uint32_t>(text, "SString", "Size");
  const auto buffer = runtime.pointerAt(text, "SString", "Buffer");
  if (!size || !buffer || *size < 2 || *size % 2 != 0 || *size > kMostPathBytes) return {};
  std::u16string characters(*size / 2 - 1, u'\0');
  if (!runtime.memory().tryRead(*buffer, std::as_writable_bytes(std::span(characters)))) return {};
  return toUtf8(characters);
}

}  // namespace

std::optional<NotedImage> notedImage(const ClrRuntime& runtime, Address module) {
  const auto assembly = runtime.pointerAt(module, "Module", "PEAssembly");
  const auto image = assembly ? runtime.pointerAt(*assembly, "PEAssembly", "PEImage") : assembly;
  const auto layout = image ? runtime.pointerAt(*image, "PEImage", "LoadedImageLayout") : image;
  const auto base = layout ? runtime.pointerAt(*layout, "PEImageLayout", "Base") : layout;
  if (!base || !*base) return std::nullopt;
  const auto size = runtime.valueAt<std::uint32_t>(*layout, "PEImageLayout", "Size");
  const auto flags = runtime.valueAt<std::uint32_t>(*layout, "PEImageLayout", "Flags");
  if (!size || !flags) return std::nullopt;
  NotedImage noted;
  noted.module = module;
  noted.assembly = *assembly;
  noted.base = *base;
  noted.sizeBytes = *size;
  noted.isMapped = (*flags & runtime.contract().constant("PEImageLayout.MappedFlag")) != 0;
  noted.path = readPath(runtime, runtime.member(*image, "PEImage", "Path"));
  // The file is mapped once as it is, to be bound to, and again by its sections if it has code.
  const auto flat = runtime.pointerAt(*image, "PEImage", "FlatImageLayout");
  const auto flatBase = flat && *flat ? runtime.pointerAt(*flat, "PEImageLayout", "Base") : Result<Address>(Address{});
  const auto flatSize = runtime.valueAt<std::uint32_t>(flat.value_or(Address{}), "PEImageLayout", "Size");
  if (flatBase && *flatBase && flatSize) {
    noted.fileBase = *flatBase;
    noted.fileBytes = *flatSize;
  }
  return noted;
}

std::vector<NotedImage> notedImages(const ClrRuntime& runtime) {
  FindingList ignored;
  std::vector<NotedImage> images;
  for (const Address module : listModules(runtime, ignored)) {
    if (auto image = notedImage(runtime, module)) images.push_back(std::move(*image));
  }
  return images;
}

std::optional<NotedImage> notedImageAt(const ClrRuntime& runtime, Address base) {
  auto images = notedImages(runtime);
  const auto found = std::ranges::find(images, base, &NotedImage::base);
  return found == images.end() ? std::nullopt : std::optional(std::move(*found));
}

std::optional<AddressRange> dynamicMetadataOf(const ClrRuntime& runtime, Address module) {
  std::uint32_t size = 0;
  Address bytes;
  if (runtime.contract().has("Module", "DynamicMetadata")) {
    const auto block = runtime.pointerAt(module, "Module", "DynamicMetadata");
    if (!block || !*block) return std::nullopt;
    runtime.memory().tryRead(runtime.member(*block, "DynamicMetadata", "Size"), size);
    bytes = runtime.member(*block, "DynamicMetadata", "Data");
  } else {
    const auto buffer = runtime.pointerAt(module, "Module", "DynamicMetadataSBuffer");
    if (!buffer || !*buffer) return std::nullopt;
    runtime.memory().tryRead(runtime.member(*buffer, "SBuffer", "Size"), size);
    runtime.memory().tryRead(runtime.member(*buffer, "SBuffer", "Buffer"), bytes);
  }
  return AddressRange{bytes, bytes + size};
}

}  // namespace heapscape::engine
