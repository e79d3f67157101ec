// SPDX-License-Identifier: MIT
#include "session/images_beside_files.h"

#include <elf.h>

#include <algorithm>

#include "runtime/noted_images.h"

namespace heapscape::engine {
namespace {

const MappedFile* mappingAt(const ElfCore& core, Address address) {
  const auto next =
      std::ranges::upper_bound(core.files, address, {}, [](const MappedFile& f) { return f.range.start; });
  return next != core.files.begin() && (next - 1)->range.contains(address) ? &*(next - 1) : nullptr;
}

/// The program that the process runs; empty if the dump does not tell.
std::string programOf(const ElfCore& core) {
  const auto entry = std::ranges::find(core.auxiliaryVector, std::uint64_t{AT_ENTRY}, &AuxiliaryEntry::type);
  const MappedFile* file = entry == core.auxiliaryVector.end() ? nullptr : mappingAt(core, {entry->value});
  return file ? file->path : std::string();
}

}  // namespace

std::vector<LoadedImage> imagesBesideFiles(const ElfCore& core, const ClrRuntime& runtime) {
  const std::string program = programOf(core);
  std::vector<LoadedImage> images;
  for (const NotedImage& noted : notedImages(runtime)) {
    const MappedFile* mapping = mappingAt(core, noted.base);
    if (noted.path.empty() || (mapping ? mapping->path != program : noted.isMapped)) continue;
    LoadedImage image{{noted.base, noted.base + noted.sizeBytes}, noted.path, program, {}};
    for (; mapping && mapping < core.files.data() + core.files.size() && mapping->range.start < image.range.end;
         ++mapping) {
      if (mapping->path == program) image.mappings.push_back(*mapping);
    }
    images.push_back(std::move(image));
  }
  return images;
}

}  // namespace heapscape::engine
