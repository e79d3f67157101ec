// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>

#include "base/bounded_reader.h"
#include "base/progress.h"
#include "base/result.h"
#include "memory/file_descriptor.h"

namespace heapscape::engine {

/// A compressed file that was written out to an unlinked temporary file.
struct DecompressedFile {
  FileDescriptor file;
  std::uint64_t bytes = 0;
  std::string damage;  // why these bytes may not be all or not be right; empty if they are
};

/// Whether a file that begins with these bytes is compressed with Zstandard.
bool isZstandard(Bytes beginning);

/// Decompresses all frames of a Zstandard file of `size` bytes into $TMPDIR or /var/tmp. A file that ends early or is
/// damaged gives what could be decompressed before that. Polls the token every megabyte.
Outcome<DecompressedFile> decompressZstandard(int descriptor, std::uint64_t size, const std::filesystem::path& path,
                                              StageProgress& progress, std::stop_token stop);

}  // namespace heapscape::engine
