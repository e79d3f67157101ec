// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace heapscape::cli::test {

/// A file with addresses, one a line, as long as it is needed.
class AddressFile {
 public:
  explicit AddressFile(const std::string& text)
      : m_path(testing::TempDir() + "heapscape-addresses-" + std::to_string(::getpid()) + "-" +
               std::to_string(s_files++)) {
    std::ofstream(m_path) << text;
  }
  ~AddressFile() { std::filesystem::remove(m_path); }
  AddressFile(const AddressFile&) = delete;
  AddressFile& operator=(const AddressFile&) = delete;

  const std::string& path() const { return m_path; }

 private:
  static inline int s_files = 0;
  std::string m_path;
};

}  // namespace heapscape::cli::test
