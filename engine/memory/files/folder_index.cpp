// SPDX-License-Identifier: MIT
#include "memory/files/folder_index.h"

#include <cstddef>
#include <deque>
#include <system_error>
#include <utility>

namespace heapscape::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 200'000;
constexpr int kDeepest = 12;

}  // namespace

FolderIndex::FolderIndex(const fs::path& folder, const std::stop_token& stop) {
  std::deque<std::pair<fs::path, int>> folders = {{folder, 0}};
  std::size_t entries = 0;
  for (; !folders.empty(); folders.pop_front()) {
    const auto& [current, depth] = folders.front();
    std::error_code error;
    fs::directory_iterator entry(current, fs::directory_options::skip_permission_denied, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      if (++entries > kMostEntries || stop.stop_requested()) {
        m_isWhole = false;
        return;
      }
      std::error_code ignored;
      if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) {
        if (depth < kDeepest) folders.emplace_back(entry->path(), depth + 1);
        m_isWhole &= depth < kDeepest;
      } else {
        m_files.emplace(entry->path().filename().string(), entry->path());
      }
    }
  }
}

std::vector<fs::path> FolderIndex::filesNamed(const std::string& name) const {
  const auto [first, last] = m_files.equal_range(name);
  std::vector<fs::path> files;
  for (auto file = first; file != last; ++file) files.push_back(file->second);
  return files;
}

}  // namespace heapscape::engine
