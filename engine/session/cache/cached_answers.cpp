// SPDX-License-Identifier: MIT
#include "session/cache/cached_answers.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <utility>

#include "session/cache/engine_version.h"
#include "session/cache/file_changes.h"

namespace heapscape::engine {
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

}  // namespace heapscape::engine
