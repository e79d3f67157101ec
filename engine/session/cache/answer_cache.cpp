// SPDX-License-Identifier: MIT
#include "session/cache/answer_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "base/figures.h"
#include "memory/files/regular_file.h"
#include "session/cache/cache_file.h"
#include "session/cache/engine_version.h"
#include "session/snapshot/contents.h"

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
        Unfinished(cannotKeep(fmt::format("{} are to be cached in {}, more than the {} that may be taken there.",
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

// Cached files may be removed again, so it is as good as free.
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

namespace {

/// By path and choice of roots, so that what is kept of a dump takes the place of what was kept of an older one there.
std::string nameFor(const std::filesystem::path& path, const RootOptions& options) {
  ContentHash hash;
  hash.add(path.native()).add(options.includeStacks).add(options.includeInexact);
  const Hash128 name = hash.finish();
  return fmt::format("{:016x}{:016x}", name.high, name.low);
}

const char* endingOf(CachedPart part) {
  switch (part) {
    case CachedPart::Retained:
      return "retained";
    case CachedPart::Types:
      return "types";
    case CachedPart::Insights:
      break;
  }
  return "insights";
}

void addTime(ContentHash& hash, const std::timespec& time) {
  hash.add(time.tv_sec).add(time.tv_nsec);
}

/// A file that is written to is another one, whatever it holds: its time of change cannot be set back.
void addFile(ContentHash& hash, const DumpFile& file, const struct stat& status) {
  hash.add(file.nameInArchive()).add(file.damage());
  hash.add(status.st_dev).add(status.st_ino).add(status.st_size);
  addTime(hash, status.st_mtim);
  addTime(hash, status.st_ctim);
}

void addTotals(ContentHash& hash, const ObjectTotals& totals) {
  hash.add(totals.objects).add(totals.bytes).add(totals.freeObjects).add(totals.freeBytes);
}

template <class T>
void addNumbers(ContentHash& hash, const std::vector<T>& numbers) {
  hash.add(std::as_bytes(std::span(numbers)));
}

void addHeap(ContentHash& hash, const Contents& contents) {
  for (const Segment& segment : *contents.segments) {
    hash.add(segment.address.value).add(segment.kind).add(segment.heap);
    hash.add(segment.objects.start.value).add(segment.objects.end.value);
    hash.add(segment.committedEnd.value).add(segment.reservedEnd.value);
    for (const GenerationRange& part : segment.generations)
      hash.add(part.generation).add(part.range.start.value).add(part.range.end.value);
  }
  const WalkedHeap& heap = *contents.heap;
  hash.add(heap.index.objectCount()).add(heap.freeType.value);
  for (const SegmentContents& segment : heap.segments) {
    addTotals(hash, segment.totals);
    hash.add(segment.unreadBytes).add(segment.doubtfulBytes);
  }
  addNumbers(hash, heap.counts.count);
  addNumbers(hash, heap.counts.bytes);
  addNumbers(hash, heap.counts.components);
}

void addTypes(ContentHash& hash, const Contents& contents) {
  for (const TypeRow& type : *contents.types) {
    hash.add(type.name).add(type.assembly).add(type.loadContext).add(type.methodTable.value);
    hash.add(type.isFree).add(type.baseSize).add(type.componentSize);
  }
  addNumbers(hash, *contents.typePaddingBytes);
  for (const ModuleRow& module : *contents.modules) {
    hash.add(module.address.value).add(module.name).add(module.path).add(module.mvid).add(module.metadata);
    hash.add(module.isDynamic).add(module.isCollectible).add(module.loadContext);
  }
}

void addRoots(ContentHash& hash, const RootOptions& options, const RootList& list) {
  hash.add(options.includeStacks).add(options.includeInexact);
  for (const RootGroup& group : list.groups) hash.add(group.name).add(group.parent).add(group.owner.value);
  for (const RootRow& root : list.roots) {
    hash.add(root.kind).add(root.address.value).add(root.object.value);
    hash.add(root.name).add(root.isExact).add(root.group);
  }
}

void addFindings(ContentHash& hash, const FindingList& findings) {
  for (const Finding& finding : findings.items())
    hash.add(finding.kind).add(finding.address.value).add(finding.message);
  hash.add(findings.leftOut());
}

/// Which file it was, as its file system knows it, and what other files can have told differently: the runtime, the
/// names of types, the roots. Two openings with the same identity by the same version of the engine give the same
/// answers.
Hash128 identityOf(const struct stat& status, const Contents& contents, const RootOptions& options,
                   const RootList& roots) {
  ContentHash hash;
  hash.add(engineSources());
  addFile(hash, *contents.file, status);
  const RuntimeSummary& runtime = contents.summary.runtime;
  hash.add(runtime.version).add(runtime.buildId).add(runtime.contractVersion).add(runtime.contract);
  addHeap(hash, contents);
  addTypes(hash, contents);
  addFindings(hash, contents.findings);
  addRoots(hash, options, roots);
  addFindings(hash, roots.findings);
  return hash.finish();
}

}  // namespace

std::shared_ptr<const CachedAnswers> CachedAnswers::of(std::shared_ptr<const AnswerCache> cache,
                                                       const Contents& contents, const RootOptions& options,
                                                       const RootList& roots) {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::canonical(contents.file->path(), error);
  struct stat status {};
  if (error || ::stat(path.c_str(), &status) != 0) return nullptr;
  return std::shared_ptr<const CachedAnswers>(new CachedAnswers(
      std::move(cache), contents.memory, nameFor(path, options), identityOf(status, contents, options, roots)));
}

CachedAnswers::CachedAnswers(std::shared_ptr<const AnswerCache> cache, std::shared_ptr<const AddressSpace> memory,
                             std::string name, const Hash128& identity)
    : m_cache(std::move(cache)), m_memory(std::move(memory)), m_name(std::move(name)), m_identity(identity) {}

std::string CachedAnswers::nameOf(CachedPart part) const {
  return fmt::format("{}.{}", m_name, endingOf(part));
}

std::shared_ptr<const CacheFile> CachedAnswers::find(CachedPart part) const {
  return m_cache->find(nameOf(part), m_identity);
}

void CachedAnswers::noteUsed() const {
  const std::lock_guard lock(m_mutex);
  m_isUsed = true;
}

void CachedAnswers::keepLater(CachedPart part, double seconds, CacheContents contents) const {
  const std::lock_guard lock(m_mutex);
  if (seconds >= m_cache->limits().leastSeconds) m_isUsed = true;
  if (m_isUsed) m_waiting.insert_or_assign(part, std::move(contents));
}

bool CachedAnswers::isWaiting() const {
  const std::lock_guard lock(m_mutex);
  return !m_waiting.empty();
}

// Whoever asks for another part meanwhile does not wait until this one is written.
Outcome<void> CachedAnswers::write(const std::stop_token& stop) const {
  std::map<CachedPart, CacheContents> waiting;
  {
    const std::lock_guard lock(m_mutex);
    waiting.swap(m_waiting);
  }
  for (const auto& [part, contents] : waiting) {
    if (const auto changed = FileChanges(m_memory).error()) return tl::unexpected(Unfinished(*changed));
    HEAPSCAPE_CHECK(m_cache->keep(nameOf(part), m_identity, contents, stop));
  }
  return {};
}

FileChanges::FileChanges(const Snapshot& snapshot) : m_memory(snapshot.contents().memory) {
  if (const auto& retention = snapshot.contents().retention) m_kept = retention->file;
}

FileChanges::FileChanges(std::shared_ptr<const AddressSpace> memory) : m_memory(std::move(memory)) {}

std::optional<Error> FileChanges::error() const {
  if (m_kept && m_kept->isLost()) {
    return Error{ErrorCode::FileUnreadable,
                 "The cache of the dump was shortened, or could no longer be read, while it was open: what was read "
                 "from it may be wrong.",
                 "Open the dump anew."};
  }
  const std::optional<ChangedFile> changed = m_memory ? m_memory->changedFile() : std::nullopt;
  if (!changed) return std::nullopt;
  const char* what = changed->change == FileChange::Shortened
                         ? "was shortened, or could no longer be read, while it was open"
                         : "was written to while it was open";
  return Error{ErrorCode::FileUnreadable,
               fmt::format("{} {}: what was read from it may be wrong.", changed->path.string(), what),
               "Open the dump anew when nobody changes it any more."};
}

Snapshot withChangedFiles(const Snapshot& snapshot, const Error& error) {
  Contents contents = snapshot.contents();
  contents.findings.add(FindingKind::FileChanged, {}, error.message());
  return Snapshot(std::make_shared<const Contents>(std::move(contents)));
}

}  // namespace heapscape::engine
