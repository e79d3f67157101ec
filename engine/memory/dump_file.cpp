// SPDX-License-Identifier: MIT
#include "memory/dump_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <utility>

#include "memory/decompressor.h"
#include "memory/file_descriptor.h"

namespace heapscape::engine {

namespace {

constexpr const char* kNameADump = "Name a core dump file of a .NET process.";

struct OpenFile {
  FileDescriptor file;
  std::uint64_t sizeBytes = 0;
};

tl::unexpected<Error> cannotOpen(const std::filesystem::path& path, int error) {
  const std::string name = path.string();
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return failure(ErrorCode::FileUnreadable, fmt::format("There is no file {}.", name),
                     "Check the name and the folder.");
    case EACCES:
    case EPERM:
      return failure(ErrorCode::FileUnreadable, fmt::format("{} may not be read by this user.", name),
                     "Dumps often belong to root: change the owner or the permissions of the file, or of its folder.");
    default:
      return failure(ErrorCode::FileUnreadable, fmt::format("{} cannot be opened: {}.", name, systemMessage(error)));
  }
}

const char* kindOfFile(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

/// Looks before it opens: opening a device or a pipe may do something or wait for ever.
Result<OpenFile> openRegularFile(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return cannotOpen(path, errno);
  OpenFile opened;
  if (S_ISREG(status.st_mode)) {
    opened.file = FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!opened.file.isOpen() || ::fstat(opened.file.get(), &status) != 0) return cannotOpen(path, errno);
  }
  if (!S_ISREG(status.st_mode)) {
    return failure(ErrorCode::FileUnreadable,
                   fmt::format("{} is {}, not a file.", path.string(), kindOfFile(status.st_mode)), kNameADump);
  }
  if (status.st_size == 0) {
    return failure(ErrorCode::FileUnreadable, fmt::format("{} is empty.", path.string()),
                   "The dump was probably not written: check the room on that disk and make it again.");
  }
  opened.sizeBytes = static_cast<std::uint64_t>(status.st_size);
  return opened;
}

Result<Bytes> mapWhole(const FileDescriptor& file, std::uint64_t sizeBytes, const std::filesystem::path& path) {
  void* start = ::mmap(nullptr, sizeBytes, PROT_READ, MAP_SHARED, file.get(), 0);
  if (start == MAP_FAILED) {
    return failure(ErrorCode::FileUnreadable,
                   fmt::format("{} cannot be mapped into memory: {}.", path.string(), systemMessage(errno)),
                   "Copy it to a local disk and open it there.");
  }
  return Bytes(static_cast<const std::byte*>(start), sizeBytes);
}

bool beginsAsZstandard(const FileDescriptor& file) {
  std::array<std::byte, 4> beginning{};
  const ssize_t got = ::pread(file.get(), beginning.data(), beginning.size(), 0);
  return got > 0 && isZstandard(Bytes(beginning).first(static_cast<std::size_t>(got)));
}

}  // namespace

Outcome<std::shared_ptr<const DumpFile>> DumpFile::open(const std::filesystem::path& path, StageProgress& progress,
                                                        std::stop_token stop) {
  if (stop.stop_requested()) return tl::unexpected<Unfinished>(Unfinished::cancelled());
  HEAPSCAPE_TRY(OpenFile source, openRegularFile(path));
  std::shared_ptr<DumpFile> dump(new DumpFile);
  dump->m_path = path;
  dump->m_compressed = beginsAsZstandard(source.file);
  if (dump->m_compressed) {
    HEAPSCAPE_TRY(DecompressedFile plain,
                  decompressZstandard(source.file.get(), source.sizeBytes, path, progress, stop));
    source = {std::move(plain.file), plain.bytes};
    dump->m_damage = std::move(plain.damage);
  }
  HEAPSCAPE_TRY(dump->m_bytes, mapWhole(source.file, source.sizeBytes, path));
  dump->m_descriptor = source.file.release();
  progress.report(1);
  return dump;
}

DumpFile::~DumpFile() {
  if (!m_bytes.empty()) ::munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
  if (m_descriptor >= 0) ::close(m_descriptor);
}

}  // namespace heapscape::engine
