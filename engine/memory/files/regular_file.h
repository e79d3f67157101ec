// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "base/result.h"
#include "memory/files/file_descriptor.h"

namespace heapscape::engine {

/// A file that is open for reading, and its size when it was opened.
struct RegularFile {
  FileDescriptor file;
  std::uint64_t sizeBytes = 0;
};

/// What would help where a file cannot be opened: it depends on what the file is for.
struct RegularFileHelp {
  std::string notAFile;
  std::string notReadable;
  std::string empty;
};

/// Looks before it opens: opening a device or a pipe may do something or wait for ever. Fails with FileUnreadable, also
/// if the file is empty.
Result<RegularFile> openRegularFile(const std::filesystem::path& path, const RegularFileHelp& help);

/// Copies bytes of the file at an offset; false if they do not lie wholly in it, or cannot be read.
bool tryReadFile(const RegularFile& file, std::uint64_t offset, std::span<std::byte> target);

}  // namespace heapscape::engine
