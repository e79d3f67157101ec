// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

#include "base/bounded_reader.h"
#include "base/progress.h"
#include "base/result.h"

namespace heapscape::engine {

/// A core file mapped read-only into our memory; a .zst is first decompressed into an unlinked temporary file.
class DumpFile {
 public:
  /// Fails with FileUnreadable, or NotACoreDump if a .zst does not decompress. Polls the token at least every 10 ms.
  static Outcome<std::shared_ptr<const DumpFile>> open(const std::filesystem::path& path, StageProgress& progress,
                                                       std::stop_token stop);
  ~DumpFile();
  DumpFile(const DumpFile&) = delete;
  DumpFile& operator=(const DumpFile&) = delete;

  /// All bytes of the (decompressed) core.
  Bytes bytes() const { return m_bytes; }
  /// Open for as long as this object lives, so that parts can be mapped again.
  int descriptor() const { return m_descriptor; }
  const std::filesystem::path& path() const { return m_path; }
  bool isCompressed() const { return m_compressed; }
  /// Why the decompressed bytes may not be all or not be right (the compressed file is cut or damaged); empty if they
  /// are.
  const std::string& damage() const { return m_damage; }

 private:
  DumpFile() = default;

  std::filesystem::path m_path;
  std::string m_damage;
  Bytes m_bytes;
  int m_descriptor = -1;
  bool m_compressed = false;
};

}  // namespace heapscape::engine
