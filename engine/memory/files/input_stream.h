// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "memory/files/file_descriptor.h"
#include "memory/packing/byte_source.h"

namespace heapscape::engine {

/// A pipe or a socket that is open for reading: its bytes come once, and nothing tells how many.
struct InputStream {
  FileDescriptor file;
  std::filesystem::path name;  // for people: "standard input", or the path
};

/// The stream that a path stands for: "-" and /dev/stdin, what a shell hands over as /dev/fd/N, or a pipe that lies in
/// a folder. Nothing if it is no stream: then it is to be opened as a file. Fails with FileUnreadable, also where
/// standard input is a terminal. Does not wait for whoever writes to it.
Result<std::optional<InputStream>> openInputStream(const std::filesystem::path& path);

/// Whether a path stands for a stream, as openInputStream() sees it. False if it cannot be asked.
bool isStream(const std::filesystem::path& path);

/// The path of a file that "-" stands for, as with `< core`; any other path as it is.
std::filesystem::path namedInput(const std::filesystem::path& path);

/// The bytes of a stream up to its end. Waits for them, and while it does polls the token.
class StreamSource : public ByteSource {
 public:
  /// The stream and `progress` must outlive the source.
  StreamSource(const InputStream& stream, StageProgress& progress, std::stop_token stop);

  std::uint64_t bytesSoFar() const { return m_position; }

 private:
  Outcome<Bytes> fetch() override;
  /// False when asked to stop.
  bool waitForBytes() const;
  void reportProgress();

  const InputStream& m_stream;
  StageProgress& m_progress;
  std::stop_token m_stop;
  std::vector<std::byte> m_piece;
  std::uint64_t m_position = 0;
};

}  // namespace heapscape::engine
