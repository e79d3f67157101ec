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

/// Where on this machine files that the dumped process had mapped may be found. By default nowhere.
struct FilePlaces {
  bool hasRecordedPaths = false;                    // at the paths that the dump names
  std::vector<std::filesystem::path> folders = {};  // that hold such files themselves
  std::vector<std::filesystem::path> trees = {};    // that hold such files themselves or anywhere below
  std::vector<std::filesystem::path> dotnets = {};  // that .NET is installed in: files of its "shared" folder
  std::filesystem::path packages = {};              // a NuGet cache; empty for none
  std::stop_token stop = {};                        // of listing what lies below folders
};

/// Finds files in places. What is below a folder is listed once, when first asked for. Not safe from several threads.
class FileFinder {
 public:
  explicit FileFinder(FilePlaces places) : m_places(std::move(places)) {}

  /// Files that may be the one of a path in the dump, the likeliest first; they need not exist.
  std::vector<std::filesystem::path> candidatesFor(const std::string& recordedPath) const;
  /// More of them, which are looked for below folders.
  std::vector<std::filesystem::path> furtherCandidatesFor(const std::string& recordedPath);

 private:
  const FolderIndex& indexOf(const std::filesystem::path& folder);
  void addFromTree(const std::filesystem::path& folder, const std::string& name,
                   std::vector<std::filesystem::path>& candidates);
  void addPackaged(const std::string& name, std::vector<std::filesystem::path>& candidates);

  FilePlaces m_places;
  std::map<std::filesystem::path, FolderIndex> m_indices;
};

}  // namespace heapscape::engine
