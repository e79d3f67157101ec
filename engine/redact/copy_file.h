// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/bounded_reader.h"
#include "base/result.h"
#include "memory/files/regular_file.h"

struct ZSTD_CCtx_s;

namespace heapscape::engine {

/// A file that is written from its start to its end and has its name once it is whole; packed where that ends in .zst.
/// What was there before stays until then.
class CopyFile {
 public:
  /// `mode`: who may read and write it, as umask lets them. Fails with FileUnreadable.
  static Result<CopyFile> create(const std::filesystem::path& path, mode_t mode = 0666);
  /// How many bytes there will be, before the first: a packed file then tells it to its readers.
  void expect(std::uint64_t bytes);
  CopyFile(CopyFile&& other) noexcept;
  CopyFile& operator=(CopyFile&&) = delete;
  ~CopyFile();

  /// Fails with FileUnreadable, as for a full disk.
  Result<void> append(Bytes bytes);
  /// Gives the file its name.
  Result<void> finish();
  /// Of the file, packed or not.
  std::uint64_t fileBytes() const { return m_fileBytes; }

 private:
  CopyFile() = default;
  struct FreeContext {
    void operator()(ZSTD_CCtx_s* context) const;
  };

  Result<void> pack(Bytes bytes, bool isLast);
  Result<void> write(Bytes bytes);
  Error notWritten(int error) const;

  std::filesystem::path m_target;
  std::filesystem::path m_fresh;  // empty once it is renamed, or moved from
  FileDescriptor m_file;
  std::unique_ptr<ZSTD_CCtx_s, FreeContext> m_packer;  // null for a file that is not packed
  std::vector<std::byte> m_packed;
  std::uint64_t m_fileBytes = 0;
};

}  // namespace heapscape::engine
