// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace heapscape::engine {

/// Which files of a name lie in a folder or anywhere below it. Links to folders are not followed; of a tree that is
/// larger than a bound, or once it is asked to stop, the rest is left out.
class FolderIndex {
 public:
  explicit FolderIndex(const std::filesystem::path& folder, const std::stop_token& stop = {});

  /// The least deep first. Empty if there are none.
  std::vector<std::filesystem::path> filesNamed(const std::string& name) const;
  /// False if something was left out.
  bool isWhole() const { return m_isWhole; }

 private:
  std::multimap<std::string, std::filesystem::path> m_files;
  bool m_isWhole = true;
};

}  // namespace heapscape::engine
