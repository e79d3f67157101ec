// SPDX-License-Identifier: MIT
#include "memory/elf/library_map.h"

#include <elf.h>

#include <algorithm>

namespace heapscape::engine {
namespace {

// The kernel maps two pages of code at most (arch/x86/entry/vdso); only a segment that begins there holds it.
std::optional<AddressRange> vdsoOf(const ElfCore& core) {
  const auto entry = std::ranges::find(core.auxiliaryVector, std::uint64_t{AT_SYSINFO_EHDR}, &AuxiliaryEntry::type);
  if (entry == core.auxiliaryVector.end()) return std::nullopt;
  const auto load =
      std::ranges::find(core.loads, Address{entry->value}, [](const LoadSegment& l) { return l.range.start; });
  if (load == core.loads.end()) return std::nullopt;
  return load->range;
}

/// Whether a mapping of the same file belongs to a library in front of it, whose last mapping is given. Segments of an
/// ELF file may share its first page; of a PE image the headers are mapped by themselves, and what lies behind them in
/// the same page again with the first section. A single-file program maps the assemblies in it from the same file, at
/// addresses that have nothing to do with those of the program.
bool continues(const MappedLibrary& library, const MappedFile& last, const MappedFile& mapping,
               std::uint64_t headerBytes) {
  constexpr std::uint64_t kWidestGapBytes = 4 << 20;  // twice what linkers align segments to at most
  if (mapping.fileOffset == 0) {
    return library.range.end == mapping.range.start ||
           (library.range.sizeBytes() == headerBytes && mapping.range.sizeBytes() > headerBytes);
  }
  const auto distanceInMemory = static_cast<std::int64_t>(mapping.range.start - last.range.start);
  const auto distanceInFile =
      static_cast<std::int64_t>(mapping.fileOffset) - static_cast<std::int64_t>(last.fileOffset);
  const std::int64_t gap = distanceInMemory - distanceInFile;
  return distanceInFile >= 0 && gap > -static_cast<std::int64_t>(kWidestGapBytes) &&
         gap < static_cast<std::int64_t>(kWidestGapBytes);
}

}  // namespace

LibraryMap::LibraryMap(const ElfCore& core) {
  const MappedFile* previous = nullptr;  // of the last library
  const std::uint64_t pageBytes = core.pageBytes();
  for (const MappedFile& file : core.files) {
    MappedLibrary* last = m_libraries.empty() ? nullptr : &m_libraries.back();
    if (last && last->path == file.path && continues(*last, *previous, file, pageBytes)) {
      last->range.end = std::max(last->range.end, file.range.end);
      previous = &file;
    } else if (file.fileOffset == 0) {
      m_libraries.push_back({file.range, file.path});
      previous = &file;
    }
  }
  if (const auto vdso = vdsoOf(core)) m_libraries.push_back({*vdso, "[vdso]"});
  std::ranges::stable_sort(m_libraries, {}, [](const MappedLibrary& library) { return library.range.start; });
}

std::optional<std::size_t> LibraryMap::indexAt(Address address) const {
  const auto next = std::ranges::upper_bound(m_libraries, address, {},
                                             [](const MappedLibrary& library) { return library.range.start; });
  if (next == m_libraries.begin() || !(next - 1)->range.contains(address)) return std::nullopt;
  return static_cast<std::size_t>(next - m_libraries.begin()) - 1;
}

}  // namespace heapscape::engine
