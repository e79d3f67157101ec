// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/address.h"
#include "base/bounded_reader.h"
#include "memory/elf/elf_core.h"

namespace heapscape::engine {

/// Addresses of the process at which bytes of a mapped file lie unchanged.
struct FileExtent {
  AddressRange range;
  std::uint64_t fileOffset = 0;
};

/// A part of an image: where it is, from the image's first byte on as the process has it, and how long.
struct ImagePart {
  std::uint32_t rva = 0;
  std::uint32_t sizeBytes = 0;
};

/// Which bytes of a library or an image the process cannot have changed: those of segments or sections that are not
/// writable, without what a loader relocates, and `constants`, which lie in others but are written to by nobody: each
/// by itself, and free of addresses. `mappings` are all those of one file, sorted, in pages of `pageBytes`; `base` is
/// where its first byte lies. Sorted; empty for a file that is neither ELF nor PE of 64 bits, or if it is damaged.
std::vector<FileExtent> unchangedExtents(Bytes file, Address base, std::span<const MappedFile> mappings,
                                         std::span<const ImagePart> constants, std::uint64_t pageBytes = kPageBytes);

/// Where in its image a pointer of a PE image leads that its loader moves with the image, by where the pointer is; both
/// from the image's first byte on. Returns nullopt if the file lists no such pointer there.
std::optional<std::uint64_t> relocatedTarget(Bytes file, std::uint64_t rva);

/// Whether a file begins as a PE image does.
bool isPeImage(Bytes file);
/// Bytes of its headers, section table included; 0 if they do not lie in the file.
std::uint64_t peHeaderBytes(Bytes file);

}  // namespace heapscape::engine
