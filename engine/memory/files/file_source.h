// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <stop_token>
#include <vector>

#include "base/progress.h"
#include "memory/files/regular_file.h"
#include "memory/packing/byte_source.h"

namespace heapscape::engine {

/// The bytes of a file from its start to the end that it had when it was opened. Polls the token at every piece, and
/// reports how much of the file was taken.
class FileSource : public ByteSource {
 public:
  /// The file and `progress` must outlive the source.
  FileSource(const RegularFile& file, std::filesystem::path path, StageProgress& progress, std::stop_token stop);

 private:
  Outcome<Bytes> fetch() override;
  std::uint64_t passOver(std::uint64_t bytes) override;

  const RegularFile& m_file;
  std::filesystem::path m_path;
  StageProgress& m_progress;
  std::stop_token m_stop;
  std::vector<std::byte> m_piece;
  std::uint64_t m_position = 0;
};

}  // namespace heapscape::engine
