// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bounded_reader.h"
#include "base/result.h"

namespace heapscape::engine {

/// A file inside a program that was published as a single file.
struct BundledFile {
  enum class Type : std::uint8_t { Unknown, Assembly, NativeBinary, DepsJson, RuntimeConfigJson, Symbols };
  std::string path;  // relative to the program's folder
  Type type = Type::Unknown;
  std::uint64_t offset = 0;       // of its bytes in the program's file
  std::uint64_t sizeBytes = 0;    // when unpacked
  std::uint64_t packedBytes = 0;  // deflated (RFC 1951); 0 if it lies there as it is
};

/// Content list of a single-file program. The host finds the head of this list by a number in front of a marker of 32
/// bytes (bundle_marker and bundle/header.h, both in src/native/corehost of dotnet/runtime).
struct BundleManifest {
  std::uint32_t majorVersion = 0;  // 2 for .NET 5, 6 from .NET 6 on
  std::string id;                  // differs with the contents
  std::vector<BundledFile> files;

  /// Null if there is none of that path.
  const BundledFile* find(std::string_view path) const;
  /// Null if none begins at that place of the program's file.
  const BundledFile* findAt(std::uint64_t offset) const;
};

/// Fails with NotFound if the file is no single-file program, or Damaged.
Result<BundleManifest> readBundleManifest(Bytes program);

}  // namespace heapscape::engine
