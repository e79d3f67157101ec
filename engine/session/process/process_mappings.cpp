// SPDX-License-Identifier: MIT
#include "session/process/process_mappings.h"

#include <unistd.h>

#include <elf.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <string_view>

#include "base/address.h"
#include "base/bounded_reader.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

// The runtime's executable memory is mapped from a file without a name, most of it without access.
constexpr std::string_view kDoubleMapped = "/memfd:doublemapper";

bool isDoubleMapped(const MappedFile& file) {
  return file.path.starts_with(kDoubleMapped);
}

bool overlaps(const AddressRange& left, const AddressRange& right) {
  return left.start < right.end && right.start < left.end;
}

/// Whether a file is mapped over some of a range; files are sorted and do not overlap.
bool isOfFile(const std::vector<MappedFile>& files, const AddressRange& range) {
  const auto behind =
      std::upper_bound(files.begin(), files.end(), range.start,
                       [](Address address, const MappedFile& file) { return address < file.range.end; });
  return behind != files.end() && !isDoubleMapped(*behind) && overlaps(behind->range, range);
}

class MappingBuilder {
 public:
  MappingBuilder(const ElfCore& core, DumpKind kind) : m_core(core), m_kind(kind) {}

  ProcessMappings build() {
    std::vector<Mapping> files = namedFiles();
    for (const LoadSegment& load : m_core.loads) {
      if (isOfCreatedump(load.range) || load.range.isEmpty()) continue;
      if (isWithoutAccess(load)) {
        m_built.reserved.push_back(load.range);
      } else {
        addAroundFiles(load, files);
      }
    }
    m_built.mappings.insert(m_built.mappings.end(), std::make_move_iterator(files.begin()),
                            std::make_move_iterator(files.end()));
    std::sort(m_built.mappings.begin(), m_built.mappings.end(),
              [](const Mapping& left, const Mapping& right) { return left.range.start < right.range.start; });
    explain();
    joinPieces();
    return std::move(m_built);
  }

 private:
  /// A redacted copy has the memory of one mapping in pieces.
  void joinPieces() {
    if (!m_core.redaction) return;
    std::vector<Mapping> joined;
    for (Mapping& mapping : m_built.mappings) {
      if (!joined.empty() && joined.back().range.end == mapping.range.start && joined.back().path.empty() &&
          mapping.path.empty() && originOf(joined.back().range.start) == originOf(mapping.range.start))
        joined.back().range.end = mapping.range.end;
      else
        joined.push_back(std::move(mapping));
    }
    m_built.mappings = std::move(joined);
  }
  Address originOf(Address address) const {
    const auto load =
        std::ranges::upper_bound(m_core.loads, address, {}, [](const LoadSegment& one) { return one.range.end; });
    return load != m_core.loads.end() ? load->mappingStart : Address{};
  }

  bool isOfCreatedump(const AddressRange& range) const {
    return range.start == kCreatedumpPage && range.sizeBytes() == m_core.pageBytes();
  }
  // The kernel lists mappings without access with no rights. gdb claims that all can be read; what really can only be
  // read has a file behind it.
  bool isWithoutAccess(const LoadSegment& load) const {
    if (load.flags == 0) return true;
    return m_kind == DumpKind::Gcore && load.flags == PF_R && !isOfFile(m_core.files, load.range);
  }

  /// NT_FILE, sorted and without overlaps. Mappings of executable memory are listed whatever their rights: those count
  /// where a program header does.
  std::vector<Mapping> namedFiles() const {
    std::vector<Mapping> files;
    Address end;
    for (const MappedFile& file : m_core.files) {
      const AddressRange range{std::max(file.range.start, end), file.range.end};
      if (isDoubleMapped(file) || range.isEmpty()) continue;
      files.push_back({range, false, file.path});
      end = range.end;
    }
    return files;
  }

  /// The parts of a program header's range that no file is mapped to are anonymous memory.
  void addAroundFiles(const LoadSegment& load, const std::vector<Mapping>& files) {
    const bool isExecutable = (load.flags & PF_X) != 0;
    Address from = load.range.start;
    auto file = std::upper_bound(files.begin(), files.end(), from,
                                 [](Address address, const Mapping& mapping) { return address < mapping.range.end; });
    for (; file != files.end() && file->range.start < load.range.end; ++file) {
      if (from < file->range.start) m_built.mappings.push_back({{from, file->range.start}, isExecutable, {}});
      from = std::max(from, file->range.end);
    }
    if (from < load.range.end) m_built.mappings.push_back({{from, load.range.end}, isExecutable, {}});
  }

  void explain() {
    switch (m_kind) {
      case DumpKind::Heap:
        m_built.isWhole = false;
        m_built.remark = "createdump omits some read-only and executable pages that no file is mapped to.";
        break;
      case DumpKind::Mini:
      case DumpKind::Triage:
        m_built.isWhole = false;
        m_built.remark = "A mini dump lists mapped files and a little of the other memory.";
        break;
      case DumpKind::GcDump:
      case DumpKind::Unknown:
        m_built.isWhole = false;
        m_built.remark = "Which program wrote the dump is not known, and so not whether it lists all mappings.";
        break;
      case DumpKind::Full:
      case DumpKind::Gcore:
      case DumpKind::Kernel:
        break;
    }
  }

  const ElfCore& m_core;
  DumpKind m_kind;
  ProcessMappings m_built;
};

}  // namespace

ProcessMappings mappingsOf(const ElfCore& core, DumpKind kind) {
  return MappingBuilder(core, kind).build();
}

namespace {

constexpr std::uint64_t kBlockBytes = 4 << 20;

/// Anonymous memory, less what has a file after all: executable memory of the runtime is a file without a name, of
/// which a page may be filled through one mapping and never touched through another.
std::vector<AddressRange> privateMemory(const ElfCore& core, const std::vector<Mapping>& mappings) {
  std::vector<AddressRange> ranges;
  for (const Mapping& mapping : mappings) {
    if (!mapping.path.empty()) continue;
    Address from = mapping.range.start;
    auto file = std::upper_bound(core.files.begin(), core.files.end(), from,
                                 [](Address address, const MappedFile& mapped) { return address < mapped.range.end; });
    for (; file != core.files.end() && file->range.start < mapping.range.end; ++file) {
      if (from < file->range.start) ranges.push_back({from, file->range.start});
      from = std::max(from, file->range.end);
    }
    if (from < mapping.range.end) ranges.push_back({from, mapping.range.end});
  }
  return ranges;
}

/// Parts of these ranges that the dump holds, in blocks that begin at pages' borders wherever the memory does.
std::vector<AddressRange> blocksOf(const AddressSpace& memory, const std::vector<AddressRange>& ranges) {
  std::vector<AddressRange> blocks;
  for (const AddressRange& range : ranges) {
    for (const AddressRange& part : memory.present(range)) {
      for (Address at = part.start; at < part.end;) {
        const Address next{std::min(part.end.value, (at.value / kBlockBytes + 1) * kBlockBytes)};
        blocks.push_back({at, next});
        at = next;
      }
    }
  }
  return blocks;
}

std::uint64_t bytesOfPagesWithSomething(const AddressSpace& memory, AddressRange block) {
  std::uint64_t sum = 0;
  for (Address at = block.start; at < block.end;) {
    const Address next{std::min(block.end.value, (at.value / kPageBytes + 1) * kPageBytes)};
    for (Address piece = at; piece < next;) {
      const Bytes bytes = memory.prefix(piece, next - piece);
      if (bytes.empty()) break;
      if (!areZero(bytes)) {
        sum += next - at;
        break;
      }
      piece += bytes.size();
    }
    at = next;
  }
  return sum;
}

/// Bytes of a range of the core that are holes of its file.
std::uint64_t holeBytesOf(const DumpFile& file, std::uint64_t start, std::uint64_t end, const std::stop_token& stop) {
  std::uint64_t holes = 0;
  while (start < end && !stop.stop_requested()) {
    const off_t data = ::lseek(file.descriptor(), static_cast<off_t>(file.fileOffset() + start), SEEK_DATA);
    // ENXIO: nothing but a hole is left.
    const std::uint64_t hole = data < 0 ? end : std::min(end, static_cast<std::uint64_t>(data) - file.fileOffset());
    holes += hole - start;
    if (hole >= end) break;
    const off_t next = ::lseek(file.descriptor(), static_cast<off_t>(file.fileOffset() + hole), SEEK_HOLE);
    if (next < 0) break;
    start = static_cast<std::uint64_t>(next) - file.fileOffset();
  }
  return holes;
}

std::uint64_t holeBytesOf(const Contents& contents, const std::vector<AddressRange>& ranges,
                          const std::stop_token& stop) {
  std::uint64_t holes = 0;
  auto range = ranges.begin();
  for (const LoadSegment& load : contents.core->loads) {
    const AddressRange written{load.range.start, load.range.start + std::min(load.fileBytes, load.range.sizeBytes())};
    while (range != ranges.end() && range->end <= written.start) ++range;
    for (auto over = range; over != ranges.end() && over->start < written.end; ++over) {
      const Address from = std::max(over->start, written.start);
      const Address to = std::min(over->end, written.end);
      holes += holeBytesOf(*contents.file, load.fileOffset + (from - written.start),
                           load.fileOffset + (to - written.start), stop);
    }
  }
  return holes;
}

}  // namespace

Outcome<ResidentMemory> residentMemoryOf(const Snapshot& snapshot, const std::vector<Mapping>& mappings,
                                         std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  ResidentMemory resident;
  for (const Mapping& mapping : mappings) {
    if (!mapping.path.empty()) resident.fileBytes += mapping.range.sizeBytes();
  }
  const std::vector<AddressRange> ranges = privateMemory(*contents.core, mappings);
  const std::vector<AddressRange> blocks = blocksOf(*contents.memory, ranges);
  std::atomic<std::uint64_t> bytes = 0;
  tbb::parallel_for(std::size_t{0}, blocks.size(), [&](std::size_t index) {
    if (!stop.stop_requested()) bytes += bytesOfPagesWithSomething(*contents.memory, blocks[index]);
  });
  resident.atLeastBytes = bytes;
  const bool keepsHoles = snapshot.summary().dump.kind == DumpKind::Kernel && !contents.file->isCompressed();
  if (keepsHoles) resident.holeBytes = holeBytesOf(contents, ranges, stop);
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  return resident;
}

}  // namespace heapscape::engine
