// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "memory/files/regular_file.h"

namespace heapscape::engine {

/// A file that another process is to write, perhaps one with other files than ours, and that is gone with this object
/// unless it was given a name. Its folder is opened once, below the root of that process, so that no link in a
/// container leads out of it; the file itself must be no link.
class PartFile {
 public:
  /// `root`: of the other process's files, as we reach them; `folder` as it names it. Fails with FileUnreadable if the
  /// folder cannot be entered.
  static Result<PartFile> in(const std::filesystem::path& root, const std::filesystem::path& folder, std::string name);
  PartFile(PartFile&& other) noexcept;
  PartFile& operator=(PartFile&& other) noexcept;
  ~PartFile();

  /// As the other process names it.
  std::filesystem::path path() const { return m_folderPath / m_name; }
  /// Its folder, as the other process names it.
  const std::filesystem::path& folder() const { return m_folderPath; }
  /// Room in the folder; nullopt if that cannot be told.
  std::optional<std::uint64_t> freeBytes() const;
  /// Written so far; 0 before there is a file.
  std::uint64_t bytes() const;
  /// Fails with FileUnreadable if there is none, or if it is no ordinary file.
  Result<RegularFile> open() const;
  /// Gives it a name of ours and lets it be. Fails with FileUnreadable, also if there is such a file already.
  Result<void> moveTo(const std::filesystem::path& target);

 private:
  PartFile() = default;

  FileDescriptor m_folder;
  std::filesystem::path m_folderPath;
  std::string m_name;  // empty once it is moved
};

}  // namespace heapscape::engine
