// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <string>
#include <system_error>
#include <utility>

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

/// What an errno means, in words.
inline std::string systemMessage(int error) {
  return std::generic_category().message(error);
}

}  // namespace heapscape::engine
