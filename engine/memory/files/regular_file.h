// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "base/result.h"

namespace heapscape::engine {

/// Owns an open file.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int value) : m_value(value) {}
  FileDescriptor(FileDescriptor&& other) noexcept : m_value(std::exchange(other.m_value, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(m_value, other.m_value);
    return *this;
  }
  ~FileDescriptor() {
    if (m_value >= 0) ::close(m_value);
  }

  bool isOpen() const { return m_value >= 0; }
  int get() const { return m_value; }
  int release() { return std::exchange(m_value, -1); }

 private:
  int m_value = -1;
};

/// Meaning of an errno, in words.
inline std::string systemMessage(int error) {
  return std::generic_category().message(error);
}

/// A file that is open for reading, and its size when it was opened.
struct RegularFile {
  FileDescriptor file;
  std::uint64_t sizeBytes = 0;
};

/// Help where a file cannot be opened: it depends on what the file is for.
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
