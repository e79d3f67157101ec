// SPDX-License-Identifier: MIT
#include "memory/address_space.h"

#include <sys/mman.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <new>
#include <thread>
#include <utility>

#include "base/large_array.h"
#include "memory/file_backed_memory.h"

namespace heapscape::engine {
namespace {

// Small enough that a stop is answered soon even when the disk has to be read.
constexpr std::uintptr_t kBlockBytes = 4 << 20;

struct PageRange {
  std::uintptr_t start = 0;
  std::uintptr_t end = 0;
};

/// Whole pages, each once, in blocks.
std::vector<PageRange> blocksOf(std::vector<Bytes> pieces) {
  std::ranges::sort(pieces, {}, [](const Bytes& piece) { return piece.data(); });
  std::vector<PageRange> blocks;
  std::uintptr_t done = 0;
  for (const Bytes& piece : pieces) {
    if (piece.empty()) continue;
    const auto first = reinterpret_cast<std::uintptr_t>(piece.data());
    std::uintptr_t start = std::max(done, first - first % hostPageBytes());
    const std::uintptr_t end = (first + piece.size() + hostPageBytes() - 1) / hostPageBytes() * hostPageBytes();
    while (start < end) {
      const bool extends = !blocks.empty() && blocks.back().end == start;
      if (!extends || start - blocks.back().start >= kBlockBytes) blocks.push_back({start, start});
      blocks.back().end = std::min(end, blocks.back().start + kBlockBytes);
      start = blocks.back().end;
    }
    done = std::max(done, end);
  }
  return blocks;
}

// Kernels before 5.14 instead: a fault maps the pages around it as well (fault_around_bytes).
constexpr std::uintptr_t kFaultAroundBytes = 64 << 10;

void populateBlock(PageRange block) {
  if (::madvise(reinterpret_cast<void*>(block.start), block.end - block.start, MADV_POPULATE_READ) == 0) return;
  for (std::uintptr_t page = block.start; page < block.end; page = (page / kFaultAroundBytes + 1) * kFaultAroundBytes) {
    static_cast<void>(*reinterpret_cast<const volatile std::byte*>(page));
  }
}

/// Asks the kernel to map the pages under these pieces of a mapped file now, on all cores. Pieces may overlap.
/// Returns within milliseconds of a stop; reports on the calling thread only.
void populatePages(std::vector<Bytes> pieces, StageProgress& progress, std::stop_token stop) {
  const std::vector<PageRange> blocks = blocksOf(std::move(pieces));
  std::atomic<std::size_t> done = 0;
  const std::thread::id caller = std::this_thread::get_id();
  const auto populate = [&](std::size_t index) {
    if (stop.stop_requested()) return;
    populateBlock(blocks[index]);
    const std::size_t count = done.fetch_add(1, std::memory_order_relaxed) + 1;
    if (std::this_thread::get_id() == caller) {
      progress.report(static_cast<double>(count) / static_cast<double>(blocks.size()));
    }
  };
  tbb::parallel_for(std::size_t{0}, blocks.size(), populate, tbb::simple_partitioner());
  if (!stop.stop_requested()) progress.report(1);
}

/// Asks the kernel to begin to read the pages under this piece of a mapped file from disk. Does not wait for it.
void readPagesAhead(Bytes piece) {
  if (piece.empty()) return;
  const auto first = reinterpret_cast<std::uintptr_t>(piece.data());
  const std::uintptr_t start = first - first % hostPageBytes();
  ::madvise(reinterpret_cast<void*>(start), first + piece.size() - start, MADV_WILLNEED);
}

constexpr std::uint64_t kCopyAtMostBytes = 64 * 1024;
constexpr std::uint64_t kCopyOfFilesAtMostBytes = 1ull << 30;  // a dump may say that one file is mapped everywhere
constexpr std::size_t kMostMappedPieces = 1024;
constexpr std::size_t kHints = 64;

// Where each thread last found something, by address; only a guess that is checked, so any space may use it.
constinit thread_local std::array<std::uint32_t, kHints> runHints{};

std::uint32_t& hintFor(Address address) {
  return runHints[((address.value >> 16) ^ (address.value >> 22)) % kHints];
}

/// A stretch of our own address space that is given back at the end.
class Mapping {
 public:
  Mapping(std::size_t size, LostPages lost) : m_size(size) {
    void* start = ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) return;
    m_start = static_cast<std::byte*>(start);
    m_guard = GuardedMapping(start, size, std::move(lost));
  }
  ~Mapping() {
    m_guard = GuardedMapping();
    if (m_start) ::munmap(m_start, m_size);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::byte* start() const { return m_start; }
  /// Puts pages of a file at an offset of the stretch; both offsets are page-aligned.
  bool put(std::size_t offset, std::size_t size, int descriptor, std::uint64_t fileOffset) {
    return ::mmap(m_start + offset, size, PROT_READ, MAP_SHARED | MAP_FIXED, descriptor,
                  static_cast<off_t>(fileOffset)) != MAP_FAILED;
  }

 private:
  std::byte* m_start = nullptr;
  std::size_t m_size;
  GuardedMapping m_guard;
};

AddressRange intersection(AddressRange left, AddressRange right) {
  return {std::max(left.start, right.start), std::min(left.end, right.end)};
}

}  // namespace

AddressSpace::AddressSpace(std::shared_ptr<const DumpFile> file, const ElfCore& core)
    : m_file(std::move(file)), m_fileStart(m_file->bytes().data()) {
  std::vector<Run> runs;
  const std::uint64_t available = m_file->bytes().size();
  for (const LoadSegment& load : core.loads) {
    if (load.fileOffset >= available) continue;
    const std::uint64_t size = std::min({load.fileBytes, available - load.fileOffset, load.range.sizeBytes()});
    if (size == 0) continue;
    if (!runs.empty()) {
      Run& last = runs.back();
      if (last.range.end > load.range.start) continue;
      if (last.range.end == load.range.start && last.fileOffset + last.range.sizeBytes() == load.fileOffset) {
        last.range.end += size;
        continue;
      }
    }
    runs.push_back({{load.range.start, load.range.start + size}, load.fileOffset});
  }
  runs.shrink_to_fit();
  m_allRuns = std::make_shared<const std::vector<Run>>(std::move(runs));
  m_runs = *m_allRuns;
  if (core.redaction) m_redaction = std::make_shared<const Redaction>(*core.redaction);
}

AddressSpace::AddressSpace(const AddressSpace& dump, std::shared_ptr<const FileBackedMemory> files)
    : AddressSpace(dump) {
  m_files = std::move(files);
}

std::span<const AddressSpace::Run>::iterator AddressSpace::firstRunEndingAfter(Address address) const {
  return std::ranges::upper_bound(m_runs, address, {}, [](const Run& run) { return run.range.end; });
}

const AddressSpace::Run* AddressSpace::runAt(Address address) const {
  std::uint32_t& hint = hintFor(address);
  if (hint < m_runs.size() && m_runs[hint].range.contains(address)) return &m_runs[hint];
  const auto found = firstRunEndingAfter(address);
  if (found == m_runs.end() || found->range.start > address) return nullptr;
  hint = static_cast<std::uint32_t>(found - m_runs.begin());
  return &*found;
}

Bytes AddressSpace::bytesOf(const Run& run, AddressRange part) const {
  return {m_fileStart + run.fileOffset + (part.start - run.range.start), part.sizeBytes()};
}

Bytes AddressSpace::prefix(Address address, std::uint64_t size) const {
  const Run* run = runAt(address);
  if (!run) return m_files ? prefixOfFile(address, size) : Bytes();
  const std::uint64_t offset = address - run->range.start;
  return {m_fileStart + run->fileOffset + offset, std::min(size, run->range.sizeBytes() - offset)};
}

std::optional<ChangedFile> AddressSpace::changedFile() const {
  const FileChange change = m_file->change();
  if (change != FileChange::None) return ChangedFile{m_file->path(), change};
  return m_files ? m_files->changedFile() : std::nullopt;
}

/// The dump goes before files, also where it holds but a part of them.
Bytes AddressSpace::prefixOfFile(Address address, std::uint64_t size) const {
  const auto next = firstRunEndingAfter(address);
  if (next != m_runs.end()) size = std::min(size, next->range.start - address);
  return m_files->prefix(address, size);
}

bool AddressSpace::tryRead(Address address, std::span<std::byte> target) const {
  const Bytes first = prefix(address, target.size());
  if (first.size() == target.size()) {
    std::copy(first.begin(), first.end(), target.begin());
    return true;
  }
  const AddressRange range{address, address + target.size()};
  if (first.empty() || range.isEmpty()) return false;
  if (!holds(range) && (!m_files || readable(range) != std::vector{range})) return false;
  for (std::size_t done = 0; done < target.size();) {
    const Bytes piece = prefix(address + done, target.size() - done);
    std::ranges::copy(piece, target.begin() + static_cast<std::ptrdiff_t>(done));
    done += piece.size();
  }
  return true;
}

Result<std::string> AddressSpace::readText(Address address, std::size_t limit) const {
  std::string text;
  while (text.size() < limit) {
    const Bytes piece = prefix(address + text.size(), limit - text.size());
    if (piece.empty()) return tl::unexpected<Error>(missingAt(address + text.size()));
    const auto* letters = reinterpret_cast<const char*>(piece.data());
    if (const void* end = std::memchr(letters, 0, piece.size())) {
      return text.append(letters, static_cast<const char*>(end));
    }
    text.append(letters, piece.size());
  }
  return failure(ErrorCode::Damaged, "The text at " + toString(address) + " has no end.");
}

Result<MemoryView> AddressSpace::view(AddressRange range) const {
  if (range.isEmpty()) return MemoryView{{}, m_file};
  const Bytes whole = prefix(range.start, range.sizeBytes());
  if (m_files && !holds(range)) return viewWithFiles(range);
  if (whole.size() == range.sizeBytes()) return MemoryView{whole, m_file};
  const std::vector<AddressRange> parts = present(range);
  if (parts.empty() || parts.front().start > range.start) return tl::unexpected<Error>(missingAt(range.start));
  if (parts.front() != range) return tl::unexpected<Error>(missingAt(parts.front().end));
  return stitch(range);
}

Result<MemoryView> AddressSpace::viewWithFiles(AddressRange range) const {
  const Bytes whole = prefix(range.start, range.sizeBytes());
  if (whole.size() == range.sizeBytes()) return MemoryView{whole, m_files};
  const std::vector<AddressRange> parts = readable(range);
  if (parts.empty() || parts.front().start > range.start) return tl::unexpected<Error>(missingAt(range.start));
  if (parts.front() != range) return tl::unexpected<Error>(missingAt(parts.front().end));
  if (range.sizeBytes() > kCopyOfFilesAtMostBytes) {
    return failure(ErrorCode::Damaged, "The files at " + toString(range.start) + " are larger than any can be.");
  }
  return copyOf(range);
}

Result<MemoryView> AddressSpace::stitch(AddressRange range) const {
  const std::uint64_t size = range.sizeBytes();
  if (size > kCopyAtMostBytes) {
    if (auto mapped = mapTogether(range)) {
      const auto* start = static_cast<const std::byte*>(mapped.get());
      return MemoryView{{start + range.start.value % hostPageBytes(), size}, std::move(mapped)};
    }
  }
  // Longer than the file: segments that show the same bytes again and again, made to exhaust memory.
  if (size > m_file->bytes().size()) {
    return failure(ErrorCode::Damaged, "The segments of the dump at " + toString(range.start) + " share their bytes.");
  }
  return copyOf(range);
}

Result<MemoryView> AddressSpace::copyOf(AddressRange range) const {
  const std::uint64_t size = range.sizeBytes();
  std::shared_ptr<std::byte[]> copy(new (std::nothrow) std::byte[size]);
  if (!copy) return failure(ErrorCode::NotInDump, "There is not enough memory to show " + toString(range.start) + ".");
  if (!tryRead(range.start, {copy.get(), size})) return tl::unexpected<Error>(missingAt(range.start));
  const Bytes bytes(copy.get(), size);
  return MemoryView{bytes, std::move(copy)};
}

/// Null where pages of the file cannot be put side by side; the range is wholly in the dump.
std::shared_ptr<const void> AddressSpace::mapTogether(AddressRange range) const {
  const std::uint64_t page = hostPageBytes();
  const auto first = firstRunEndingAfter(range.start);
  auto last = first;
  for (; last->range.end < range.end; ++last) {
    if (last->range.end.value % page != 0) return nullptr;
    if (static_cast<std::size_t>(last - first) >= kMostMappedPieces) return nullptr;
  }
  const Address origin = range.start - range.start.value % page;
  const auto mapping = std::make_shared<Mapping>(alignUp(range.end - origin, page), m_file->lostPages());
  if (!mapping->start()) return nullptr;
  for (auto run = first;; ++run) {
    const std::uint64_t runOffset = m_file->fileOffset() + run->fileOffset;
    if ((runOffset - run->range.start.value) % page != 0) return nullptr;
    const AddressRange part = intersection(run->range, range);
    const std::uint64_t start = part.start.value - part.start.value % page;
    const std::uint64_t fileOffset = runOffset - (run->range.start.value - start);
    if (!mapping->put(start - origin.value, alignUp(part.end.value - start, page), m_file->descriptor(), fileOffset)) {
      return nullptr;
    }
    if (run == last) break;
  }
  return {mapping, mapping->start()};
}

template <class Visit>
void AddressSpace::forEachPart(AddressRange range, const Visit& visit) const {
  for (auto run = firstRunEndingAfter(range.start); run != m_runs.end() && run->range.start < range.end; ++run)
    visit(*run, intersection(run->range, range));
}

std::vector<AddressRange> AddressSpace::present(AddressRange range) const {
  std::vector<AddressRange> parts;
  if (range.isEmpty()) return parts;
  forEachPart(range, [&](const Run&, AddressRange part) {
    if (!parts.empty() && parts.back().end == part.start) {
      parts.back().end = part.end;
    } else {
      parts.push_back(part);
    }
  });
  return parts;
}

bool AddressSpace::holds(AddressRange range) const {
  if (range.isEmpty()) return true;
  Address next = range.start;
  for (auto run = firstRunEndingAfter(next); run != m_runs.end() && run->range.start <= next; ++run) {
    next = run->range.end;
    if (next >= range.end) return true;
  }
  return false;
}

std::vector<AddressRange> AddressSpace::readable(AddressRange range) const {
  std::vector<AddressRange> parts = present(range);
  if (!m_files || range.isEmpty()) return parts;
  const std::vector<AddressRange> ofFiles = m_files->parts(range);
  parts.insert(parts.end(), ofFiles.begin(), ofFiles.end());
  std::ranges::sort(parts, {}, &AddressRange::start);
  std::vector<AddressRange> merged;
  for (const AddressRange& part : parts) {
    if (!merged.empty() && part.start <= merged.back().end) {
      merged.back().end = std::max(merged.back().end, part.end);
    } else {
      merged.push_back(part);
    }
  }
  return merged;
}

void AddressSpace::populate(std::span<const AddressRange> ranges, StageProgress& progress, std::stop_token stop) const {
  std::vector<Bytes> pieces;
  for (const AddressRange& range : ranges) {
    if (range.isEmpty()) continue;
    forEachPart(range, [&](const Run& run, AddressRange part) { pieces.push_back(bytesOf(run, part)); });
  }
  populatePages(std::move(pieces), progress, stop);
}

void AddressSpace::readAhead(AddressRange range) const {
  forEachPart(range, [&](const Run& run, AddressRange part) { readPagesAhead(bytesOf(run, part)); });
}

Error AddressSpace::missingAt(Address address) const {
  return {ErrorCode::NotInDump, "The dump does not hold the memory at " + toString(address) + ".",
          "A dump made with --withheap or --full may hold it."};
}

}  // namespace heapscape::engine
