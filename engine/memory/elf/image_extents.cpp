// SPDX-License-Identifier: MIT
#include "memory/elf/image_extents.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>

#include "base/address.h"
#include "memory/files/file_kind.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostSegments = 256;
constexpr std::size_t kMostSections = 96;  // the loader of Windows takes no more
constexpr std::size_t kMostRelocatedPages = 1 << 20;

// ECMA-335 II.25.2 and the PE format's specification.
constexpr std::uint64_t kPlaceOfPeOffset = 0x3c;
constexpr std::uint32_t kPeSignature = 0x00004550;
constexpr std::uint64_t kCoffHeaderBytes = 24;  // with the signature
constexpr std::uint16_t kOptionalHeader64 = 0x20b;
constexpr std::uint64_t kPlaceOfPreferredBase = 24;  // in the optional header
constexpr std::uint64_t kPlaceOfHeaderBytes = 60;
constexpr std::uint64_t kPlaceOfRelocations = 112 + 5 * 8;
constexpr std::uint32_t kSectionIsWritable = 0x80000000;

struct PeSection {
  char name[8];
  std::uint32_t virtualBytes;
  std::uint32_t rva;
  std::uint32_t rawBytes;
  std::uint32_t rawOffset;
  std::uint32_t unused[3];
  std::uint32_t characteristics;
};
static_assert(sizeof(PeSection) == 40);

struct PeHeaders {
  std::uint64_t headerBytes = 0;
  std::uint64_t preferredBase = 0;
  std::uint32_t relocations = 0;  // relative virtual address
  std::uint32_t relocationBytes = 0;
  std::vector<PeSection> sections;
};

/// Bytes of the file that may be given out.
struct FileRange {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
};

void addPart(std::vector<FileExtent>& extents, const MappedFile& mapping, FileRange part) {
  const std::uint64_t start = std::max(part.start, mapping.fileOffset);
  const std::uint64_t end = std::min(part.end, mapping.fileOffset + mapping.range.sizeBytes());
  if (start >= end) return;
  const Address at = mapping.range.start + (start - mapping.fileOffset);
  extents.push_back({{at, at + (end - start)}, start});
}

std::vector<Elf64_Phdr> elfSegments(Bytes file, const Elf64_Ehdr& header) {
  std::vector<Elf64_Phdr> segments;
  if (header.e_phentsize != sizeof(Elf64_Phdr)) return segments;
  for (std::size_t i = 0; i < std::min<std::size_t>(header.e_phnum, kMostSegments); ++i) {
    Elf64_Phdr segment{};
    if (!tryReadAt(file, header.e_phoff + i * sizeof segment, segment)) return {};
    if (segment.p_type == PT_LOAD) segments.push_back(segment);
  }
  return segments;
}

/// The loader maps whole pages, so that a page of the file may be mapped twice, with the rights of two segments.
std::vector<FileExtent> elfExtents(Bytes file, const Elf64_Ehdr& header, Address base,
                                   std::span<const MappedFile> mappings, std::uint64_t pageBytes) {
  const std::vector<Elf64_Phdr> segments = elfSegments(file, header);
  const auto first = std::ranges::find(segments, 0u, &Elf64_Phdr::p_offset);
  if (first == segments.end()) return {};
  const Address bias = base - first->p_vaddr;
  std::vector<FileExtent> extents;
  for (const Elf64_Phdr& segment : segments) {
    const std::uint64_t before = segment.p_vaddr % pageBytes;
    if ((segment.p_flags & PF_W) != 0 || before > segment.p_offset) continue;
    if (segment.p_offset > file.size() || segment.p_filesz > file.size() - segment.p_offset) continue;
    const Address start = bias + (segment.p_vaddr - before);
    const std::uint64_t offset = segment.p_offset - before;
    const std::uint64_t end =
        std::min<std::uint64_t>(alignUp(segment.p_offset + segment.p_filesz, pageBytes), file.size());
    for (const MappedFile& mapping : mappings) {
      if (mapping.range.start < start || mapping.range.start - start != mapping.fileOffset - offset) continue;
      addPart(extents, mapping, {offset, end});
    }
  }
  return extents;
}

std::optional<PeHeaders> readPeHeaders(Bytes file) {
  std::uint32_t offset = 0;
  std::uint32_t signature = 0;
  std::uint16_t count = 0;
  std::uint16_t optionalBytes = 0;
  if (!isPeImage(file) || !tryReadAt(file, kPlaceOfPeOffset, offset) || !tryReadAt(file, offset, signature) ||
      signature != kPeSignature || !tryReadAt(file, offset + 6ull, count) ||
      !tryReadAt(file, offset + 20ull, optionalBytes) || count > kMostSections) {
    return std::nullopt;
  }
  const std::uint64_t optional = offset + kCoffHeaderBytes;
  std::uint16_t magic = 0;
  std::uint32_t headerBytes = 0;
  PeHeaders headers;
  if (!tryReadAt(file, optional, magic) || !tryReadAt(file, optional + kPlaceOfHeaderBytes, headerBytes)) {
    return std::nullopt;
  }
  // Assemblies without code of their own may have the older form, and then relocate nothing that is of interest.
  if (magic == kOptionalHeader64 && (!tryReadAt(file, optional + kPlaceOfPreferredBase, headers.preferredBase) ||
                                     !tryReadAt(file, optional + kPlaceOfRelocations, headers.relocations) ||
                                     !tryReadAt(file, optional + kPlaceOfRelocations + 4, headers.relocationBytes))) {
    return std::nullopt;
  }
  headers.headerBytes = headerBytes;
  headers.sections.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!tryReadAt(file, optional + optionalBytes + i * sizeof(PeSection), headers.sections[i])) return std::nullopt;
  }
  if (headerBytes > file.size()) return std::nullopt;
  return headers;
}

const PeSection* sectionWith(const PeHeaders& headers, std::uint64_t rva) {
  const auto found = std::ranges::find_if(headers.sections, [&](const PeSection& candidate) {
    return rva >= candidate.rva && rva - candidate.rva < candidate.rawBytes;
  });
  return found == headers.sections.end() ? nullptr : &*found;
}

/// What is relocated in one page: numbers of 16 bits, the kind in the upper four and the place in the page in the
/// others.
struct RelocationBlock {
  std::uint32_t page = 0;
  Bytes entries;
};

/// Calls for each block until that gives false; false if the list is damaged.
bool forEachRelocationBlock(Bytes file, const PeHeaders& headers, const auto& call) {
  if (headers.relocationBytes == 0) return true;
  const PeSection* section = sectionWith(headers, headers.relocations);
  Bytes list;
  if (!section || !trySlice(file, std::uint64_t{section->rawOffset} + (headers.relocations - section->rva),
                            headers.relocationBytes, list)) {
    return false;
  }
  BoundedReader reader(list);
  while (list.size() - std::min<std::uint64_t>(reader.position(), list.size()) >= 8) {
    RelocationBlock block{.page = reader.read<std::uint32_t>(), .entries = {}};
    const auto blockBytes = reader.read<std::uint32_t>();
    if (blockBytes < 8) return false;
    const std::uint64_t left = list.size() - reader.position();
    block.entries = list.subspan(reader.position(), std::min<std::uint64_t>(blockBytes - 8, left));
    if (!call(block)) break;
    reader.skip(blockBytes - 8);
  }
  return true;
}

/// Pages in which the loader adds the image's place to addresses; nothing if the list is damaged.
std::optional<std::set<std::uint32_t>> relocatedPages(Bytes file, const PeHeaders& headers) {
  std::set<std::uint32_t> pages;
  const bool isSound = forEachRelocationBlock(file, headers, [&](const RelocationBlock& block) {
    if (!block.entries.empty()) {
      pages.insert(block.page);
      pages.insert(block.page + kPageBytes);  // its last address may reach into the next one
    }
    return pages.size() < kMostRelocatedPages;
  });
  if (!isSound || pages.size() >= kMostRelocatedPages) return std::nullopt;
  return pages;
}

std::vector<FileRange> withoutPages(const PeSection& section, const std::set<std::uint32_t>& pages) {
  std::vector<FileRange> parts;
  const std::uint64_t end = std::uint64_t{section.rawOffset} + section.rawBytes;
  std::uint64_t next = section.rawOffset;
  const std::uint64_t lastRva = std::uint64_t{section.rva} + section.rawBytes;
  for (auto page = pages.lower_bound(static_cast<std::uint32_t>(section.rva - section.rva % kPageBytes));
       page != pages.end() && *page < lastRva; ++page) {
    const std::uint64_t start = std::max(*page, section.rva) - section.rva + section.rawOffset;
    if (start > next) parts.push_back({next, start});
    next = std::max(next, std::uint64_t{*page} + kPageBytes - section.rva + section.rawOffset);
  }
  if (next < end) parts.push_back({next, end});
  return parts;
}

/// Of the parts those that lie in a section.
std::vector<FileRange> rangesIn(const PeSection& section, std::span<const ImagePart> parts) {
  std::vector<FileRange> ranges;
  for (const ImagePart& part : parts) {
    if (part.rva < section.rva || part.rva - section.rva > section.rawBytes ||
        part.sizeBytes > section.rawBytes - (part.rva - section.rva)) {
      continue;
    }
    const std::uint64_t start = std::uint64_t{section.rawOffset} + (part.rva - section.rva);
    ranges.push_back({start, start + part.sizeBytes});
  }
  return ranges;
}

std::vector<FileExtent> peExtents(Bytes file, std::span<const MappedFile> mappings,
                                  std::span<const ImagePart> constants) {
  const auto headers = readPeHeaders(file);
  const auto pages = headers ? relocatedPages(file, *headers) : std::nullopt;
  if (!pages) return {};
  std::vector<FileExtent> extents;
  for (const MappedFile& mapping : mappings) {
    addPart(extents, mapping, {0, headers->headerBytes});
    for (const PeSection& section : headers->sections) {
      const bool isWritable = (section.characteristics & kSectionIsWritable) != 0;
      for (const FileRange& part : isWritable ? rangesIn(section, constants) : withoutPages(section, *pages)) {
        addPart(extents, mapping, {part.start, std::min<std::uint64_t>(part.end, file.size())});
      }
    }
  }
  return extents;
}

}  // namespace

std::optional<std::uint64_t> relocatedTarget(Bytes file, std::uint64_t rva) {
  constexpr unsigned kPlaceBits = 12;
  constexpr std::uint16_t kKindOf64Bits = 10;  // IMAGE_REL_BASED_DIR64
  const auto headers = readPeHeaders(file);
  if (!headers) return std::nullopt;
  const auto wanted = static_cast<std::uint16_t>(kKindOf64Bits << kPlaceBits | rva % kPageBytes);
  bool isListed = false;
  forEachRelocationBlock(file, *headers, [&](const RelocationBlock& block) {
    std::uint16_t entry = 0;
    const bool isPage = block.page == rva - rva % kPageBytes;
    for (std::uint64_t i = 0; isPage && !isListed && tryReadAt(block.entries, i * sizeof entry, entry); ++i)
      isListed = entry == wanted;
    return !isListed;
  });
  const PeSection* section = isListed ? sectionWith(*headers, rva) : nullptr;
  std::uint64_t target = 0;
  if (!section || !tryReadAt(file, std::uint64_t{section->rawOffset} + (rva - section->rva), target) ||
      target < headers->preferredBase) {
    return std::nullopt;
  }
  return target - headers->preferredBase;
}

bool isPeImage(Bytes file) {
  return file.size() >= 2 && file[0] == std::byte{'M'} && file[1] == std::byte{'Z'};
}

std::uint64_t peHeaderBytes(Bytes file) {
  const auto headers = readPeHeaders(file);
  return headers ? headers->headerBytes : 0;
}

std::vector<FileExtent> unchangedExtents(Bytes file, Address base, std::span<const MappedFile> mappings,
                                         std::span<const ImagePart> constants, std::uint64_t pageBytes) {
  Elf64_Ehdr header{};
  std::vector<FileExtent> extents;
  if (isPeImage(file)) {
    extents = peExtents(file, mappings, constants);
  } else if (tryReadAt(file, 0, header) && std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
             header.e_ident[EI_CLASS] == ELFCLASS64 && architectureOf(header.e_machine)) {
    extents = elfExtents(file, header, base, mappings, pageBytes);
  }
  std::ranges::sort(extents, {}, [](const FileExtent& extent) { return extent.range.start; });
  Address end;
  std::erase_if(extents, [&](const FileExtent& extent) {
    if (extent.range.start < end) return true;
    end = extent.range.end;
    return false;
  });
  return extents;
}

}  // namespace heapscape::engine
