// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "layout/declared/assembly_source.h"

namespace heapscape::engine {

/// Finds NAME.dll or NAME.exe in folders, in their order.
class FolderFinder : public AssemblyFinder {
 public:
  explicit FolderFinder(std::vector<std::filesystem::path> folders) : m_folders(std::move(folders)) {}

  Result<AssemblySource> find(std::string_view simpleName) override;
  std::vector<std::string> places() const override;

 private:
  std::vector<std::filesystem::path> m_folders;
};

/// Whether a simple name can be a file's: metadata may hold anything.
bool isFileName(std::string_view simpleName);
/// That an assembly is in none of these places.
tl::unexpected<Error> notFoundIn(std::string_view simpleName, const std::vector<std::string>& places);

}  // namespace heapscape::engine
