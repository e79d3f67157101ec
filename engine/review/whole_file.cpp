// SPDX-License-Identifier: MIT
#include "review/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "memory/files/regular_file.h"

namespace heapscape::engine {
namespace {

tl::unexpected<Error> notWritten(const std::filesystem::path& path, int error) {
  return failure(ErrorCode::FileUnreadable,
                 fmt::format("{} cannot be written: {}.", path.string(), systemMessage(error)),
                 "Choose a folder that can be written to.");
}

/// An errno, 0 if all was written.
int writeAll(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(file, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

Result<void> writeThrough(const std::filesystem::path& path, std::string_view content) {
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.isOpen()) return notWritten(path, errno);
  const int error = writeAll(file.get(), content);
  if (error) return notWritten(path, error);
  return {};
}

}  // namespace

Result<std::string> readWholeFile(const std::filesystem::path& path, std::size_t limit) {
  HEAPSCAPE_TRY(const RegularFile opened, openRegularFile(path, {.notAFile = "Choose a file.",
                                                                 .notReadable = "Check its path and permissions.",
                                                                 .empty = "It may not have been written to its end."}));
  if (opened.sizeBytes > limit) {
    return failure(ErrorCode::FileUnreadable, fmt::format("{} is too large.", path.string()),
                   fmt::format("At most {} MB are read.", limit >> 20));
  }
  std::string content(opened.sizeBytes, '\0');
  std::size_t filled = 0;
  while (filled < content.size()) {
    const ssize_t taken = ::read(opened.file.get(), content.data() + filled, content.size() - filled);
    if (taken < 0 && errno == EINTR) continue;
    if (taken < 0) {
      return failure(ErrorCode::FileUnreadable,
                     fmt::format("{} cannot be read: {}.", path.string(), systemMessage(errno)));
    }
    if (taken == 0) break;
    filled += static_cast<std::size_t>(taken);
  }
  content.resize(filled);
  return content;
}

Result<void> writeWholeFile(const std::filesystem::path& path, std::string_view content) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) return writeThrough(path, content);
  // Through a link, so that the link stays one.
  std::filesystem::path target = std::filesystem::exists(status) ? std::filesystem::canonical(path, ignored) : path;
  if (target.empty()) target = path;
  std::filesystem::path fresh = target;
  fresh += fmt::format(".{}.new", ::getpid());
  const FileDescriptor file(::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!file.isOpen()) return notWritten(path, errno);
  int error = writeAll(file.get(), content);
  if (!error && ::rename(fresh.c_str(), target.c_str()) != 0) error = errno;
  if (!error) return {};
  ::unlink(fresh.c_str());
  return notWritten(path, error);
}

}  // namespace heapscape::engine
