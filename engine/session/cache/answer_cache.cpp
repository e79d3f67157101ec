// SPDX-License-Identifier: MIT
#include "session/cache/answer_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "base/figures.h"
#include "memory/files/regular_file.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kEnding = ".kept";
constexpr std::int64_t kUnfinishedSeconds = 3600;  // nobody writes for that long: who began it has come to an end

struct KeptFile {
  std::filesystem::path path;
  std::uint64_t bytes = 0;
  std::timespec used{};
  bool isUnfinished = false;
};

/// Our own files in a folder; those of others are passed over.
std::vector<KeptFile> filesIn(const std::filesystem::path& folder) {
  std::vector<KeptFile> files;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const bool isUnfinished = name.ends_with(kUnfinishedEnding) && name.find(kEnding) != std::string::npos;
    struct stat status {};
    if ((!isUnfinished && !name.ends_with(kEnding)) || ::lstat(entry->path().c_str(), &status) != 0) continue;
    if (!S_ISREG(status.st_mode)) continue;
    files.push_back({entry->path(), static_cast<std::uint64_t>(status.st_size), status.st_mtim, isUnfinished});
  }
  return files;
}

bool isOlder(const KeptFile& one, const KeptFile& other) {
  if (one.used.tv_sec != other.used.tv_sec) return one.used.tv_sec < other.used.tv_sec;
  return one.used.tv_nsec < other.used.tv_nsec;
}

bool isLeftBehind(const KeptFile& file) {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return file.isUnfinished && now - file.used.tv_sec > kUnfinishedSeconds;
}

std::string fileNameOf(const std::string& name) {
  return name + std::string(kEnding);
}

Error cannotKeep(std::string why) {
  return {ErrorCode::FileUnreadable, std::move(why)};
}

}  // namespace

bool AnswerCache::has(const std::string& name) const {
  std::error_code error;
  return std::filesystem::is_regular_file(m_folder / fileNameOf(name), error);
}

std::shared_ptr<const CacheFile> AnswerCache::find(const std::string& name, const Hash128& digest) const {
  const std::filesystem::path path = m_folder / fileNameOf(name);
  auto file = CacheFile::open(path, digest);
  if (file) ::utimensat(AT_FDCWD, path.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
  return file;
}

Outcome<void> AnswerCache::keep(const std::string& name, const Hash128& digest, const CacheContents& contents,
                                const std::stop_token& stop) const {
  if (auto made = makeFolder(); !made) return tl::unexpected(Unfinished(std::move(made.error())));
  const std::uint64_t bytes = contents.sizeBytes();
  const std::uint64_t room = roomBytes();
  if (bytes > room) {
    return tl::unexpected(
        Unfinished(cannotKeep(fmt::format("{} are to be kept in {}, more than the {} that may be taken there.",
                                          sizeText(bytes), m_folder.string(), sizeText(room)))));
  }
  makeRoom(bytes);
  const std::filesystem::path path = m_folder / fileNameOf(name);
  HEAPSCAPE_CHECK(writeCacheFile(path, digest, contents.sections, stop));
  // On some shared disks files belong to somebody else as soon as they are made. Another program may have cleared the
  // folder meanwhile, or put in its own, with the same answers; both between two looks is no reason to complain.
  const auto isAsItShould = [&] { return !has(name) || CacheFile::open(path, digest) || !has(name); };
  if (isAsItShould() || isAsItShould()) return {};
  ::unlink(path.c_str());
  return tl::unexpected(Unfinished(cannotKeep(fmt::format("{} cannot be read again.", path.string()))));
}

Result<void> AnswerCache::makeFolder() const {
  std::error_code error;
  if (m_folder.has_parent_path()) std::filesystem::create_directories(m_folder.parent_path(), error);
  if (::mkdir(m_folder.c_str(), 0700) == 0) return {};
  const int why = errno;
  if (std::filesystem::is_directory(m_folder, error)) return {};
  return tl::unexpected<Error>(
      cannotKeep(fmt::format("{} cannot be made: {}.", m_folder.string(), systemMessage(why))));
}

// What is kept already may be removed again, so it is as good as free.
std::uint64_t AnswerCache::roomBytes() const {
  struct statvfs volume {};
  if (::statvfs(m_folder.c_str(), &volume) != 0 || volume.f_blocks == 0) return m_limits.maximumBytes;
  const double free = static_cast<double>(volume.f_bavail) * static_cast<double>(volume.f_frsize);
  const double ours = static_cast<double>(use().bytes);
  return std::min(m_limits.maximumBytes, static_cast<std::uint64_t>(kMostOfFreeSpace * (free + ours)));
}

void AnswerCache::makeRoom(std::uint64_t bytes) const {
  std::vector<KeptFile> files = filesIn(m_folder);
  std::erase_if(files, [](const KeptFile& file) {
    if (isLeftBehind(file)) ::unlink(file.path.c_str());
    return file.isUnfinished;
  });
  std::ranges::sort(files, isOlder);
  std::uint64_t kept = 0;
  for (const KeptFile& file : files) kept += file.bytes;
  const std::uint64_t room = roomBytes();
  for (const KeptFile& file : files) {
    if (kept + bytes <= room) return;
    ::unlink(file.path.c_str());
    kept -= file.bytes;
  }
}

CacheUse AnswerCache::use() const {
  CacheUse use;
  for (const KeptFile& file : filesIn(m_folder)) {
    ++use.files;
    use.bytes += file.bytes;
  }
  return use;
}

void AnswerCache::clear() const {
  for (const KeptFile& file : filesIn(m_folder)) ::unlink(file.path.c_str());
}

std::filesystem::path userCacheFolder() {
  if (const char* named = std::getenv("HEAPSCAPE_CACHE"); named && *named)
    return std::string_view(named) == "off" ? std::filesystem::path() : std::filesystem::path(named);
  // A relative XDG_CACHE_HOME is to be ignored, says the specification.
  if (const char* caches = std::getenv("XDG_CACHE_HOME"); caches && *caches == '/')
    return std::filesystem::path(caches) / "heapscape";
  const char* home = std::getenv("HOME");
  return home && *home == '/' ? std::filesystem::path(home) / ".cache" / "heapscape" : std::filesystem::path();
}

}  // namespace heapscape::engine
