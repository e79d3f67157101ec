// SPDX-License-Identifier: MIT
#include "session/cache/dump_digest.h"

#include <sys/stat.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>

#include "session/cache/engine_version.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kFileBlockBytes =
    64 << 10;  // of the file; the last one of those that a segment lies in counts whole
constexpr std::size_t kFileBlocksAtOnce = 16;

/// What lies in the heap's segments counts in full: each of its bytes can be in an answer. Everything else that was
/// read is in the digest as what it was read as, so that a sample says enough.
class FileDigest {
 public:
  explicit FileDigest(const Contents& contents) : m_file(contents.file->bytes()), m_isHeap(blockCount()) {
    for (const Segment& segment : *contents.segments) mark(*contents.memory, segment.objects);
  }

  void addTo(ContentHash& hash) const {
    std::vector<std::uint64_t> hashes(m_isHeap.size());
    const tbb::blocked_range<std::size_t> all(0, hashes.size(), kFileBlocksAtOnce);
    tbb::parallel_for(all, [&](const auto& part) {
      for (std::size_t i = part.begin(); i < part.end(); ++i) hashes[i] = hashOf(countedIn(i));
    });
    hash.add(m_file.size()).add(std::as_bytes(std::span(hashes)));
  }

 private:
  std::size_t blockCount() const { return (m_file.size() + kFileBlockBytes - 1) / kFileBlockBytes; }

  void mark(const AddressSpace& memory, AddressRange range) {
    for (const AddressRange& part : memory.present(range)) {
      for (Address at = part.start; at < part.end;) {
        const Bytes piece = memory.prefix(at, part.end - at);
        if (piece.empty()) break;
        const auto first = static_cast<std::size_t>(piece.data() - m_file.data());
        if (first < m_file.size()) {
          const std::size_t last = std::min(first + piece.size(), m_file.size()) - 1;
          for (std::size_t i = first / kFileBlockBytes; i <= last / kFileBlockBytes; ++i) m_isHeap[i] = 1;
        }
        at = at + piece.size();
      }
    }
  }

  Bytes countedIn(std::size_t block) const {
    const Bytes bytes = m_file.subspan(block * kFileBlockBytes);
    return bytes.first(std::min<std::size_t>(bytes.size(), m_isHeap[block] ? kFileBlockBytes : kPageBytes));
  }

  Bytes m_file;
  std::vector<std::uint8_t> m_isHeap;  // by block
};

void addTime(ContentHash& hash, const std::timespec& time) {
  hash.add(time.tv_sec).add(time.tv_nsec);
}

/// A file that is written to is another one, whatever it holds: its time of change cannot be set back.
void addFile(ContentHash& hash, const DumpFile& file) {
  struct stat status {};
  if (::stat(file.path().c_str(), &status) != 0) status = {};
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
  hash.add(heap.index.objectCount()).add(std::as_bytes(heap.index.words())).add(heap.freeType.value);
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

void addFindings(ContentHash& hash, const FindingList& findings) {
  for (const Finding& finding : findings.items())
    hash.add(finding.kind).add(finding.address.value).add(finding.message);
  hash.add(findings.leftOut());
}

}  // namespace

Hash128 digestOf(const RootOptions& options, const RootList& list) {
  ContentHash hash;
  hash.add(options.includeStacks).add(options.includeInexact);
  for (const RootGroup& group : list.groups) hash.add(group.name).add(group.parent).add(group.owner.value);
  for (const RootRow& root : list.roots) {
    hash.add(root.kind).add(root.address.value).add(root.object.value);
    hash.add(root.name).add(root.isExact).add(root.group);
  }
  addFindings(hash, list.findings);
  return hash.finish();
}

Hash128 digestOf(const Contents& contents, const Hash128& roots) {
  const Hash128 content = contentDigestOf(contents, roots);
  ContentHash hash;
  hash.add(content.low).add(content.high);
  addFile(hash, *contents.file);
  return hash.finish();
}

Hash128 contentDigestOf(const Contents& contents, const Hash128& roots) {
  ContentHash hash;
  hash.add(engineSources());
  hash.add(contents.file->nameInArchive()).add(contents.file->damage());
  FileDigest(contents).addTo(hash);
  const RuntimeSummary& runtime = contents.summary.runtime;
  hash.add(runtime.version).add(runtime.buildId).add(runtime.contractVersion).add(runtime.contract);
  addHeap(hash, contents);
  addTypes(hash, contents);
  addFindings(hash, contents.findings);
  hash.add(roots.low).add(roots.high);
  return hash.finish();
}

}  // namespace heapscape::engine
