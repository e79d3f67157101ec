// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "support/temporary_folder.h"

namespace heapscape::test {

/// An assembly of tests/data/layout, unpacked into a folder of its own.
class TestAssembly {
 public:
  /// Its name without ".dll"; throws if it is not there.
  explicit TestAssembly(const std::string& name);

  const std::filesystem::path& path() const { return m_path; }

 private:
  TemporaryFolder m_folder;
  std::filesystem::path m_path;
};

}  // namespace heapscape::test
