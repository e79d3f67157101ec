// SPDX-License-Identifier: MIT
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "support/builders/core_builder.h"

namespace heapscape::fuzz {

/// A core file in memory, for as long as the process may read it.
class CoreInMemory {
 public:
  explicit CoreInMemory(const test::FileBytes& bytes) : m_file(::memfd_create("core", MFD_CLOEXEC)) {
    m_isWritten = m_file >= 0 && ::write(m_file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  }
  ~CoreInMemory() {
    if (m_file >= 0) ::close(m_file);
  }
  CoreInMemory(const CoreInMemory&) = delete;
  CoreInMemory& operator=(const CoreInMemory&) = delete;

  bool isWritten() const { return m_isWritten; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(m_file); }

 private:
  int m_file;
  bool m_isWritten = false;
};

}  // namespace heapscape::fuzz
