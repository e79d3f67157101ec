// SPDX-License-Identifier: MIT
#include "memory/decompressor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "memory/size_text.h"

namespace heapscape::engine {

namespace {

constexpr std::size_t kOutputBlockBytes = 1 << 20;
constexpr int kLargestWindowLog = 31;

struct ContextDeleter {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

std::filesystem::path temporaryFolder() {
  const char* named = std::getenv("TMPDIR");
  // Not /tmp: that is often kept in memory, and a dump is large.
  return named && *named ? named : "/var/tmp";
}

Result<FileDescriptor> createUnlinkedFile(const std::filesystem::path& folder) {
  FileDescriptor file(::open(folder.c_str(), O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600));
  if (file.isOpen()) return file;
  // Some file systems have no O_TMPFILE.
  std::string name = (folder / "heapscape-XXXXXX").string();
  file = FileDescriptor(::mkostemp(name.data(), O_CLOEXEC));
  if (!file.isOpen()) {
    return failure(ErrorCode::FileUnreadable,
                   fmt::format("No temporary file can be made in {} to decompress the dump into: {}.", folder.string(),
                               systemMessage(errno)),
                   "Set TMPDIR to a folder that can be written to.");
  }
  ::unlink(name.c_str());
  return file;
}

/// One decompression, from the open file to the temporary one.
class Decompressor {
 public:
  Decompressor(int source, std::uint64_t sourceBytes, const std::filesystem::path& path)
      : m_source(source),
        m_sourceBytes(sourceBytes),
        m_path(path),
        m_folder(temporaryFolder()),
        m_input(ZSTD_DStreamInSize()),
        m_output(kOutputBlockBytes) {}

  Outcome<DecompressedFile> run(StageProgress& progress, std::stop_token stop) {
    HEAPSCAPE_CHECK(prepare());
    bool atEnd = false;
    while (!atEnd) {
      if (stop.stop_requested()) return tl::unexpected<Unfinished>(Unfinished::cancelled());
      HEAPSCAPE_TRY(atEnd, step());
      progress.report(static_cast<double>(m_consumed) / static_cast<double>(m_sourceBytes));
    }
    HEAPSCAPE_CHECK(flush());
    if (m_result.bytes == 0) return nothingDecompressed();
    progress.report(1);
    return std::move(m_result);
  }

 private:
  Result<bool> prepare() {
    m_context.reset(ZSTD_createDCtx());
    if (!m_context) return failure(ErrorCode::FileUnreadable, "There is not enough memory to decompress the dump.");
    ZSTD_DCtx_setParameter(m_context.get(), ZSTD_d_windowLogMax, kLargestWindowLog);
    HEAPSCAPE_TRY(m_result.file, createUnlinkedFile(m_folder));
    HEAPSCAPE_CHECK(readInput());
    return checkRoom();
  }

  /// Better to say at once that the disk is too small than after minutes of writing.
  Result<bool> checkRoom() {
    const unsigned long long content = ZSTD_getFrameContentSize(m_input.data(), m_read.size);
    if (content == ZSTD_CONTENTSIZE_UNKNOWN || content == ZSTD_CONTENTSIZE_ERROR) return true;
    m_announcedBytes = content;
    struct statvfs volume {};
    if (::fstatvfs(m_result.file.get(), &volume) != 0 || volume.f_blocks == 0) return true;
    if (content / volume.f_frsize >= volume.f_bavail) return diskFull();
    return true;
  }

  /// Decompresses once; true when there is nothing left to do.
  Result<bool> step() {
    m_written.dst = m_output.data();
    m_written.size = m_output.size();
    const std::size_t before = m_written.pos + m_read.pos;
    const std::size_t status = ZSTD_decompressStream(m_context.get(), &m_written, &m_read);
    if (ZSTD_isError(status)) {
      m_result.damage = fmt::format("the compressed file is damaged near byte {} ({})",
                                    m_consumed - m_read.size + m_read.pos, ZSTD_getErrorName(status));
      return true;
    }
    // A call that moves nothing already asks for the next frame, which need not be there.
    if (m_written.pos + m_read.pos != before) m_insideFrame = status != 0;
    if (m_written.pos == m_written.size) return flush().map([](bool) { return false; });
    if (m_read.pos < m_read.size) return false;
    HEAPSCAPE_TRY(const bool more, readInput());
    if (!more && m_insideFrame) m_result.damage = "the compressed file ends early";
    return !more;
  }

  Result<bool> readInput() {
    ssize_t got = 0;
    do {
      got = ::pread(m_source, m_input.data(), m_input.size(), static_cast<off_t>(m_consumed));
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
      return failure(ErrorCode::FileUnreadable,
                     fmt::format("{} cannot be read: {}.", m_path.string(), systemMessage(errno)));
    }
    m_consumed += static_cast<std::uint64_t>(got);
    m_read = {m_input.data(), static_cast<std::size_t>(got), 0};
    return got > 0;
  }

  Result<bool> flush() {
    const char* next = m_output.data();
    std::size_t left = std::exchange(m_written.pos, 0);
    while (left > 0) {
      const ssize_t put = ::write(m_result.file.get(), next, left);
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) return writeFailed(errno, left);
      next += put;
      left -= static_cast<std::size_t>(put);
      m_result.bytes += static_cast<std::uint64_t>(put);
    }
    if (m_result.bytes <= kLimits.decompressedBytes) return true;
    return failure(ErrorCode::NotACoreDump, fmt::format("{} decompresses to more than {}, which no dump does.",
                                                        m_path.string(), sizeText(kLimits.decompressedBytes)));
  }

  tl::unexpected<Error> writeFailed(int error, std::size_t left) {
    m_announcedBytes = std::max(m_announcedBytes, m_result.bytes + left);
    if (error == ENOSPC || error == EDQUOT || error == EFBIG) return diskFull();
    return failure(ErrorCode::FileUnreadable, fmt::format("The dump cannot be decompressed into {}: {}.",
                                                          m_folder.string(), systemMessage(error)));
  }

  tl::unexpected<Error> diskFull() const {
    return failure(ErrorCode::FileUnreadable,
                   fmt::format("There is not enough room in {} to decompress {}: at least {} bytes ({}) are needed.",
                               m_folder.string(), m_path.string(), m_announcedBytes, sizeText(m_announcedBytes)),
                   "Free some space there, or set TMPDIR to a folder on a larger disk.");
  }

  tl::unexpected<Error> nothingDecompressed() const {
    return failure(ErrorCode::NotACoreDump,
                   m_result.damage.empty()
                       ? fmt::format("{} is compressed with Zstandard, but there is nothing in it.", m_path.string())
                       : fmt::format("{} is compressed with Zstandard, but nothing of it can be decompressed: {}.",
                                     m_path.string(), m_result.damage),
                   "Copy the file again, or open the dump it was made from.");
  }

  int m_source;
  std::uint64_t m_sourceBytes;
  std::filesystem::path m_path;
  std::filesystem::path m_folder;
  std::unique_ptr<ZSTD_DCtx, ContextDeleter> m_context;
  std::vector<char> m_input;
  std::vector<char> m_output;
  ZSTD_inBuffer m_read{};
  ZSTD_outBuffer m_written{};
  std::uint64_t m_consumed = 0;
  std::uint64_t m_announcedBytes = 0;
  bool m_insideFrame = true;
  DecompressedFile m_result;
};

}  // namespace

bool isZstandard(Bytes beginning) {
  std::uint32_t magic = 0;
  if (!tryReadAt(beginning, 0, magic)) return false;
  return magic == ZSTD_MAGICNUMBER || (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

Outcome<DecompressedFile> decompressZstandard(int descriptor, std::uint64_t size, const std::filesystem::path& path,
                                              StageProgress& progress, std::stop_token stop) {
  return Decompressor(descriptor, size, path).run(progress, stop);
}

}  // namespace heapscape::engine
