// SPDX-License-Identifier: MIT
#include "memory/files/regular_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <cerrno>

namespace heapscape::engine {
namespace {

tl::unexpected<Error> cannotOpen(const std::filesystem::path& path, int error, const RegularFileHelp& help) {
  const std::string name = path.string();
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return failure(ErrorCode::FileUnreadable, fmt::format("There is no file {}.", name),
                     "Check the name and the folder.");
    case EACCES:
    case EPERM:
      return failure(ErrorCode::FileUnreadable, fmt::format("{} may not be read by this user.", name),
                     help.notReadable);
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

}  // namespace

Result<RegularFile> openRegularFile(const std::filesystem::path& path, const RegularFileHelp& help) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return cannotOpen(path, errno, help);
  RegularFile opened;
  if (S_ISREG(status.st_mode)) {
    opened.file = FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!opened.file.isOpen() || ::fstat(opened.file.get(), &status) != 0) return cannotOpen(path, errno, help);
  }
  if (!S_ISREG(status.st_mode)) {
    return failure(ErrorCode::FileUnreadable,
                   fmt::format("{} is {}, not a file.", path.string(), kindOfFile(status.st_mode)), help.notAFile);
  }
  if (status.st_size == 0) {
    return failure(ErrorCode::FileUnreadable, fmt::format("{} is empty.", path.string()), help.empty);
  }
  opened.sizeBytes = static_cast<std::uint64_t>(status.st_size);
  return opened;
}

bool tryReadFile(const RegularFile& file, std::uint64_t offset, std::span<std::byte> target) {
  if (offset > file.sizeBytes || file.sizeBytes - offset < target.size()) return false;
  while (!target.empty()) {
    const ssize_t got = ::pread(file.file.get(), target.data(), target.size(), static_cast<off_t>(offset));
    if (got <= 0) return false;
    offset += static_cast<std::uint64_t>(got);
    target = target.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

}  // namespace heapscape::engine
