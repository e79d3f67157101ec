// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/bounded_reader.h"
#include "base/result.h"

namespace heapscape::engine {

/// Where the metadata of a PE image lies, as an offset from the image's start, in the form it is held in.
struct PeMetadataLocation {
  std::uint64_t offset = 0;
  std::uint32_t sizeBytes = 0;
  bool readyToRun = false;               // the COR header names a managed native header
  std::uint64_t nativeHeaderOffset = 0;  // of that header, if so
  std::uint32_t sizeOfImage = 0;         // optional header, bytes when mapped
};

/// Copies bytes of the image at an offset; false if they are missing.
using PeReader = std::function<bool(std::uint64_t offset, std::span<std::byte> target)>;

/// Follows the headers of a PE32 or PE32+ image to its metadata (ECMA-335 II.25). `mapped`: sections lie at their
/// virtual addresses; otherwise the bytes are the file's and addresses are translated through the section table. Fails
/// with Damaged, NotInDump, or NotFound if the image is not managed.
Result<PeMetadataLocation> locateMetadata(const PeReader& read, bool mapped);

/// Where the byte at an address relative to the image lies, as an offset from the start of the form it is held in.
/// Fails as locateMetadata does, and with Damaged if it lies in no section.
Result<std::uint64_t> locateRva(const PeReader& read, bool mapped, std::uint32_t rva);

/// Where something of an image lies, in the form the image is held in.
struct PeDataLocation {
  std::uint64_t offset = 0;
  std::uint32_t sizeBytes = 0;
};

/// The image's debug directory. Fails as locateMetadata does, and with NotFound if there is none.
Result<PeDataLocation> locateDebugDirectory(const PeReader& read, bool mapped);

/// Bytes of an image's file and where they lie in its memory, from the image's start.
struct PeStretch {
  std::uint64_t fileOffset = 0;
  std::uint64_t memoryOffset = 0;
  std::uint64_t sizeBytes = 0;
};

/// The headers and sections of an image whose sections lie at their virtual addresses, as its file has them (the PE
/// format's section table). What the file ends with behind them, as a signature, is in no memory. Fails as
/// locateMetadata does.
Result<std::vector<PeStretch>> stretchesOfFile(const PeReader& read);

}  // namespace heapscape::engine
