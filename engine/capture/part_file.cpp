// SPDX-License-Identifier: MIT
#include "capture/part_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

namespace heapscape::engine {
namespace {

constexpr int kFolderFlags = O_PATH | O_DIRECTORY | O_CLOEXEC;

/// A folder below a root out of which no link leads. Where the kernel cannot do that (before 5.6, or a container that
/// forbids it) links are refused altogether.
FileDescriptor openBelow(const FileDescriptor& root, const std::filesystem::path& folder) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(kFolderFlags);
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
  const std::filesystem::path below = folder.relative_path().empty() ? "." : folder.relative_path();
  FileDescriptor opened(static_cast<int>(::syscall(SYS_openat2, root.get(), below.c_str(), &how, sizeof how)));
  if (opened.isOpen() || (errno != ENOSYS && errno != EPERM)) return opened;
  opened = FileDescriptor(::openat(root.get(), ".", kFolderFlags));
  for (const std::filesystem::path& part : below) {
    if (part == ".." || !opened.isOpen()) {
      errno = opened.isOpen() ? ELOOP : errno;
      return {};
    }
    opened = FileDescriptor(::openat(opened.get(), part.c_str(), kFolderFlags | O_NOFOLLOW));
  }
  return opened;
}

}  // namespace

Result<PartFile> PartFile::in(const std::filesystem::path& root, const std::filesystem::path& folder,
                              std::string name) {
  PartFile part;
  const FileDescriptor top(::open(root.c_str(), kFolderFlags));
  if (top.isOpen())
    part.m_folder = root == "/" ? FileDescriptor(::open(folder.c_str(), kFolderFlags)) : openBelow(top, folder);
  if (!part.m_folder.isOpen()) {
    const int error = errno;
    return failure(ErrorCode::FileUnreadable,
                   fmt::format("The folder {} cannot be entered: {}.", folder.string(), systemMessage(error)),
                   error == EACCES || error == EPERM ? "Run this as the user of the process, or as root."
                                                     : "Name a folder that is there.");
  }
  part.m_folderPath = folder;
  struct stat status {};
  if (::fstatat(part.m_folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
    return failure(ErrorCode::FileUnreadable, fmt::format("{} is there already.", (folder / name).string()),
                   "It was left by a capture that was killed: remove it, or name another file.");
  }
  part.m_name = std::move(name);
  return part;
}

PartFile::PartFile(PartFile&& other) noexcept
    : m_folder(std::move(other.m_folder)),
      m_folderPath(std::move(other.m_folderPath)),
      m_name(std::exchange(other.m_name, {})) {}

PartFile& PartFile::operator=(PartFile&& other) noexcept {
  std::swap(m_folder, other.m_folder);
  std::swap(m_folderPath, other.m_folderPath);
  std::swap(m_name, other.m_name);
  return *this;
}

PartFile::~PartFile() {
  if (!m_name.empty()) ::unlinkat(m_folder.get(), m_name.c_str(), 0);
}

std::optional<std::uint64_t> PartFile::freeBytes() const {
  struct statvfs status {};
  if (::fstatvfs(m_folder.get(), &status) != 0) return std::nullopt;
  return std::uint64_t{status.f_bavail} * status.f_frsize;
}

std::uint64_t PartFile::bytes() const {
  struct stat status {};
  const bool isThere = ::fstatat(m_folder.get(), m_name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
  return isThere && S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
}

Result<RegularFile> PartFile::open() const {
  RegularFile opened;
  opened.file = FileDescriptor(
      ::openat(m_folder.get(), m_name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!opened.file.isOpen()) {
    return failure(ErrorCode::FileUnreadable,
                   fmt::format("{} cannot be read: {}.", path().string(), systemMessage(errno)));
  }
  struct stat status {};
  if (::fstat(opened.file.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return failure(ErrorCode::FileUnreadable, fmt::format("{} is no ordinary file.", path().string()));
  opened.sizeBytes = static_cast<std::uint64_t>(status.st_size);
  return opened;
}

Result<void> PartFile::moveTo(const std::filesystem::path& target) {
  int error = 0;
  if (::renameat2(m_folder.get(), m_name.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) != 0) error = errno;
  // Some file systems (NFS) cannot do that in one step.
  if (error == EINVAL && ::access(target.c_str(), F_OK) != 0)
    error = ::renameat(m_folder.get(), m_name.c_str(), AT_FDCWD, target.c_str()) == 0 ? 0 : errno;
  if (error != 0) {
    return failure(ErrorCode::FileUnreadable,
                   fmt::format("{} cannot be given its name: {}.", target.string(), systemMessage(error)),
                   "Name another file with -o.");
  }
  m_name.clear();
  return {};
}

}  // namespace heapscape::engine
