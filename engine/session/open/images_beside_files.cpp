// SPDX-License-Identifier: MIT
#include "session/open/images_beside_files.h"

#include <elf.h>

#include <algorithm>
#include <unordered_set>

#include "runtime/methods/code_range.h"
#include "runtime/modules/noted_images.h"

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

LoadedImage imageIn(const std::string& program, std::string path, AddressRange range, const ElfCore& core) {
  LoadedImage image{range, std::move(path), program, {}};
  for (const MappedFile* mapping = mappingAt(core, range.start);
       mapping && mapping < core.files.data() + core.files.size() && mapping->range.start < range.end; ++mapping) {
    if (mapping->path == program) image.mappings.push_back(*mapping);
  }
  return image;
}

}  // namespace

std::vector<LoadedImage> imagesBesideFiles(const ElfCore& core, const ClrRuntime& runtime) {
  const std::string program = programOf(core);
  std::vector<LoadedImage> images;
  std::unordered_set<Address> ofModules;
  for (const NotedImage& noted : notedImages(runtime)) {
    ofModules.insert(noted.base);
    const MappedFile* mapping = mappingAt(core, noted.base);
    if (noted.path.empty() || (mapping ? mapping->path != program : noted.isMapped)) continue;
    images.push_back(imageIn(program, noted.path, {noted.base, noted.base + noted.sizeBytes}, core));
  }
  // A composite image has the code of many assemblies, and no module of its own that would name its file.
  for (const CodeRange& code : allCodeRanges(runtime)) {
    const MappedFile* mapping =
        code.module && !ofModules.contains(code.range.start) ? mappingAt(core, code.range.start) : nullptr;
    if (mapping && mapping->path == program) images.push_back(imageIn(program, {}, code.range, core));
  }
  return images;
}

}  // namespace heapscape::engine
