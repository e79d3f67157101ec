// SPDX-License-Identifier: MIT
#include "memory/files/file_places.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <string_view>
#include <system_error>
#include <utility>

#include "memory/files/recorded_path.h"

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

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostCandidates = 1000;

std::string lowerCase(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

/// The path as it was when the file was mapped; empty if it names no file.
std::string fileOnDisk(const std::string& recordedPath) {
  // A deleted or replaced file keeps its name with a suffix.
  constexpr std::string_view kDeletedMark = " (deleted)";
  std::string path = recordedPath;
  if (path.ends_with(kDeletedMark)) path.resize(path.size() - kDeletedMark.size());
  const std::string name = fileNameOf(path);
  const bool isFile = path.starts_with('/') && !name.empty() && name != "." && name != "..";
  return isFile ? path : std::string();
}

}  // namespace

const FolderIndex& FileFinder::indexOf(const fs::path& folder) {
  const auto known = m_indices.find(folder);
  return known != m_indices.end() ? known->second : m_indices.try_emplace(folder, folder, m_places.stop).first->second;
}

void FileFinder::addFromTree(const fs::path& folder, const std::string& name, std::vector<fs::path>& candidates) {
  for (fs::path& file : indexOf(folder).filesNamed(name)) candidates.push_back(std::move(file));
}

/// Packages are most often named as their assemblies are, or as the beginning of that name.
void FileFinder::addPackaged(const std::string& name, std::vector<fs::path>& candidates) {
  std::string package = lowerCase(fs::path(name).stem().string());
  while (!m_places.packages.empty() && !package.empty()) {
    std::error_code error;
    const fs::path folder = m_places.packages / package;
    if (fs::is_directory(folder, error)) addFromTree(folder, name, candidates);
    const std::size_t dot = package.rfind('.');
    package.resize(dot == std::string::npos ? 0 : dot);
  }
}

std::vector<fs::path> FileFinder::candidatesFor(const std::string& recordedPath) const {
  const std::string path = fileOnDisk(recordedPath);
  if (path.empty()) return {};
  std::vector<fs::path> candidates;
  if (m_places.hasRecordedPaths) candidates.emplace_back(path);
  for (const auto& folder : m_places.folders) candidates.push_back(folder / fileNameOf(path));
  for (const auto& tree : m_places.trees) candidates.push_back(tree / fileNameOf(path));
  // Files of a framework have the same place in every installed one.
  if (const std::size_t shared = path.rfind("/shared/"); shared != std::string::npos) {
    for (const auto* roots : {&m_places.trees, &m_places.dotnets}) {
      for (const auto& root : *roots) candidates.push_back(root / path.substr(shared + 1));
    }
  }
  return candidates;
}

std::vector<fs::path> FileFinder::furtherCandidatesFor(const std::string& recordedPath) {
  const std::string path = fileOnDisk(recordedPath);
  if (path.empty()) return {};
  const std::string name = fileNameOf(path);
  std::vector<fs::path> candidates;
  for (const auto& tree : m_places.trees) addFromTree(tree, name, candidates);
  // A program that was published with its own framework has the files of an installed one beside it.
  if (name.ends_with(".dll") || name.ends_with(".so")) {
    for (const auto& dotnet : m_places.dotnets) addFromTree(dotnet / "shared", name, candidates);
  }
  if (name.ends_with(".dll")) addPackaged(name, candidates);
  if (candidates.size() > kMostCandidates) candidates.resize(kMostCandidates);
  return candidates;
}

}  // namespace heapscape::engine
