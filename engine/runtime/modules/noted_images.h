// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// The image of a loaded module, as the runtime has noted it on its own heap.
struct NotedImage {
  Address module;
  Address assembly;  // PEAssembly
  Address base;
  std::uint32_t sizeBytes = 0;
  Address fileBase;  // where the file itself lies, byte by byte; 0 if it does not
  std::uint32_t fileBytes = 0;
  bool isMapped = false;  // sections lie at their virtual addresses; otherwise the image is the file as it is
  std::string path;       // as the process was told; empty if it cannot be read or there was no file
};

/// Returns nullopt for a module that was made at run time, or whose notes the dump does not hold.
std::optional<NotedImage> notedImage(const ClrRuntime& runtime, Address module);
/// Those of all modules that the application domain lists, in its order.
std::vector<NotedImage> notedImages(const ClrRuntime& runtime);
/// The one that begins at an address.
std::optional<NotedImage> notedImageAt(const ClrRuntime& runtime, Address base);

/// Where the runtime keeps a copy of the metadata of a module that was made at run time: {size, bytes}, or on .NET 8 a
/// buffer object.
std::optional<AddressRange> dynamicMetadataOf(const ClrRuntime& runtime, Address module);

}  // namespace heapscape::engine
