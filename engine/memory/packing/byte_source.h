// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/bounded_reader.h"
#include "base/progress.h"
#include "base/result.h"
#include "memory/files/regular_file.h"

namespace heapscape::engine {

/// Bytes that come one piece after the other: of a file, or out of what another source gives.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// The next piece, without taking it.
  Outcome<Bytes> peek() {
    if (m_ahead.empty()) {
      auto piece = fetch();
      if (!piece) return piece;
      m_ahead = *piece;
    }
    return m_ahead;
  }

  /// Takes the next piece, which is valid until the next call; empty at the end.
  Outcome<Bytes> next() {
    if (!m_ahead.empty()) return std::exchange(m_ahead, Bytes());
    return fetch();
  }

  /// Passes over bytes without reading them, at most as many as there are; 0 where that cannot be done.
  std::uint64_t skip(std::uint64_t bytes) { return m_ahead.empty() ? passOver(bytes) : 0; }

  /// Why the bytes so far may not be all or not be right; empty if they are.
  virtual std::string damage() const { return {}; }

 protected:
  virtual Outcome<Bytes> fetch() = 0;
  virtual std::uint64_t passOver(std::uint64_t) { return 0; }

 private:
  Bytes m_ahead;
};

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

/// A pipe or a socket that is open for reading: its bytes come once, and nothing tells how many.
struct InputStream {
  FileDescriptor file;
  std::filesystem::path name;  // for people: "standard input", or the path
};

/// The stream that a path stands for: "-" and /dev/stdin, what a shell hands over as /dev/fd/N, or a pipe that lies in
/// a folder. Nothing if it is no stream: then it is to be opened as a file. Fails with FileUnreadable, also where
/// standard input is a terminal. Does not wait for whoever writes to it.
Result<std::optional<InputStream>> openInputStream(const std::filesystem::path& path);

/// Whether a path stands for standard input, by any of these names.
bool isStandardInput(const std::filesystem::path& path);

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
