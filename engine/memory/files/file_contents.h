// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "memory/files/file_descriptor.h"
#include "memory/files/file_watch.h"
#include "memory/guarded_mapping.h"
#include "memory/packing/bundle_manifest.h"

namespace heapscape::engine {

/// A file, mapped to be read.
class MappedBytes {
 public:
  /// No bytes if it cannot be read.
  explicit MappedBytes(const std::filesystem::path& path);
  ~MappedBytes();
  MappedBytes(const MappedBytes&) = delete;
  MappedBytes& operator=(const MappedBytes&) = delete;

  Bytes bytes() const { return m_bytes; }
  FileChange change() const { return m_watch ? m_watch->change() : FileChange::None; }

 private:
  FileDescriptor m_file;
  std::optional<FileWatch> m_watch;
  GuardedMapping m_guard;
  Bytes m_bytes;
};

/// The bytes of a file, and what keeps them.
struct FileContents {
  Bytes bytes;
  std::shared_ptr<const void> owner;
  std::shared_ptr<const MappedBytes> file;  // that they are read from; null for a copy
  std::uint64_t offsetInProgram = 0;        // where they begin in the single-file program that has them
};

FileContents contentsOf(const std::filesystem::path& path);

/// A program on disk that was published as a single file, and the list of what it has inside; empty if it is none.
struct SingleFileProgram {
  explicit SingleFileProgram(const std::filesystem::path& path) : contents(contentsOf(path)) {
    if (auto read = readBundleManifest(contents.bytes)) manifest = std::move(*read);
  }

  FileContents contents;
  BundleManifest manifest;
};

/// A file inside a single-file program, unpacked if need be; null for none.
FileContents contentsInBundle(const SingleFileProgram& program, const BundledFile* file);

}  // namespace heapscape::engine
