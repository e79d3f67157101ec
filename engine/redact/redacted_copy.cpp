// SPDX-License-Identifier: MIT
#include "redact/redacted_copy.h"

#include <elf.h>
#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>
#include <map>
#include <random>
#include <system_error>

#include "redact/copy_file.h"
#include "redact/redacted_notes.h"
#include "redact/redaction_plan.h"
#include "session/process/process_memory.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kPieceBytes = 1 << 20;
constexpr std::size_t kPiecesAtOnce = 64;
constexpr std::size_t kMostSegments = 60'000;  // the header counts with 16 bits

/// A segment of the copy: pages that it has, and what follows them up to the next without bytes.
struct CopySegment {
  AddressRange range;
  std::uint64_t fileBytes = 0;
  std::uint32_t flags = 0;
  Address mappingStart;  // of the segment of the dump that it is a piece of
};

/// The segments of the dump with only some of their pages. Pages less than `gap` apart are one piece.
std::vector<CopySegment> segmentsOf(const ElfCore& core, const std::vector<AddressRange>& pages, std::uint64_t gap) {
  std::vector<CopySegment> segments;
  auto page = pages.begin();
  for (const LoadSegment& load : core.loads) {
    while (page != pages.end() && page->end <= load.range.start) ++page;
    const std::size_t first = segments.size();
    const Address origin = load.mappingStart ? load.mappingStart : load.range.start;
    const Address held{alignUp((load.range.start + load.fileBytes).value, kPageBytes)};
    for (auto next = page; next != pages.end() && next->start < load.range.end; ++next) {
      const AddressRange part{std::max(next->start, load.range.start), std::min({next->end, load.range.end, held})};
      if (part.isEmpty()) continue;
      CopySegment* last = segments.size() > first ? &segments.back() : nullptr;
      if (last && part.start - (last->range.start + last->fileBytes) < gap) {
        last->range.end = part.end;
        last->fileBytes = last->range.sizeBytes();
        continue;
      }
      if (last)
        last->range.end = part.start;
      else if (part.start > load.range.start)
        segments.push_back({{load.range.start, part.start}, 0, load.flags, origin});
      segments.push_back({part, part.sizeBytes(), load.flags, origin});
    }
    if (segments.size() == first) segments.push_back({load.range, 0, load.flags, origin});
    segments.back().range.end = load.range.end;
  }
  return segments;
}

std::vector<CopySegment> segmentsOf(const ElfCore& core, const std::vector<AddressRange>& pages) {
  for (std::uint64_t gap = 1;; gap = std::max(gap * 2, 2 * kPageBytes)) {
    std::vector<CopySegment> segments = segmentsOf(core, pages, gap);
    if (segments.size() <= kMostSegments || gap > std::uint64_t{1} << 40) return segments;
  }
}

std::string today() {
  std::time_t now = std::time(nullptr);
  if (const char* fixed = std::getenv("SOURCE_DATE_EPOCH"))
    now = static_cast<std::time_t>(std::strtoll(fixed, nullptr, 10));
  std::tm day{};
  ::gmtime_r(&now, &day);
  return fmt::format("{:04}-{:02}-{:02}", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
}

/// What the copy says of itself: when it was made and what it has. A copy of a copy says when the first was made, and
/// what both have kept.
std::string saidOf(const Snapshot& snapshot, const RedactOptions& options) {
  const auto& before = snapshot.contents().core->redaction;
  if (before && (options.isSlim || !before->hasContents)) {
    Redaction both = *before;
    if (!options.isSlim) {
      both.kept = choicesOf(options);
      const bool areRenamed = before->keeps(kRenamed) || !options.renamedNamespaces.empty();
      std::erase_if(both.kept, [&](const std::string& choice) {
        return choice == kKeptNames || choice == kRenamed || !before->keeps(choice);
      });
      both.kept.emplace_back(areRenamed ? kRenamed : kKeptNames);
    }
    return writeRedaction(both);
  }
  return writeRedaction({.date = today(),
                         .hasContents = options.isSlim,
                         .kept = choicesOf(options),
                         .dumpKind = toString(snapshot.summary().dump.kind),
                         .text = {}});
}

Elf64_Ehdr headerOf(const ElfCore& core, Bytes dump, std::size_t segments) {
  Elf64_Ehdr header{};
  tryReadAt(dump, 0, header);  // which system the dump is of
  header.e_shoff = header.e_shnum = header.e_shstrndx = header.e_shentsize = 0;
  header.e_type = ET_CORE;
  header.e_machine = core.architecture == Architecture::X64 ? EM_X86_64 : EM_AARCH64;
  header.e_version = EV_CURRENT;
  header.e_phoff = sizeof(Elf64_Ehdr);
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = static_cast<Elf64_Half>(segments + 1);
  return header;
}

/// Everything in front of the memory: headers, notes, and zeros up to a page.
std::vector<std::byte> headOf(const ElfCore& core, Bytes dump, const std::vector<CopySegment>& segments,
                              const std::vector<std::byte>& notes) {
  const std::uint64_t notesAt = sizeof(Elf64_Ehdr) + (segments.size() + 1) * sizeof(Elf64_Phdr);
  std::uint64_t offset = alignUp(notesAt + notes.size(), kPageBytes);
  std::vector<std::byte> head(offset);
  const auto put = [&](std::uint64_t at, const auto& value) { std::memcpy(head.data() + at, &value, sizeof value); };
  put(0, headerOf(core, dump, segments.size()));
  std::uint64_t at = sizeof(Elf64_Ehdr);
  put(at, Elf64_Phdr{.p_type = PT_NOTE,
                     .p_flags = 0,
                     .p_offset = notesAt,
                     .p_vaddr = 0,
                     .p_paddr = 0,
                     .p_filesz = notes.size(),
                     .p_memsz = 0,
                     .p_align = 4});
  for (const CopySegment& segment : segments) {
    at += sizeof(Elf64_Phdr);
    put(at, Elf64_Phdr{.p_type = PT_LOAD,
                       .p_flags = segment.flags,
                       .p_offset = offset,
                       .p_vaddr = segment.range.start.value,
                       .p_paddr = segment.mappingStart.value,
                       .p_filesz = segment.fileBytes,
                       .p_memsz = segment.range.sizeBytes(),
                       .p_align = kPageBytes});
    offset += segment.fileBytes;
  }
  std::ranges::copy(notes, head.begin() + static_cast<std::ptrdiff_t>(notesAt));
  return head;
}

/// Calls visit(pieces, bytes) for what a copy has, some pieces at a time, in the order of `ranges`.
template <class Visit>
Outcome<void> fillAll(const RedactionPlan& plan, const std::vector<AddressRange>& ranges, KindCounts& kept,
                      StageProgress& progress, std::stop_token stop, const Visit& visit) {
  std::uint64_t all = 1, done = 0;
  std::vector<AddressRange> pieces;
  for (const AddressRange& range : ranges) {
    all += range.sizeBytes();
    for (Address at = range.start; at < range.end; at += std::min(kPieceBytes, range.end - at))
      pieces.push_back({at, std::min(range.end, at + kPieceBytes)});
  }
  std::vector<std::byte> buffer;
  for (std::size_t first = 0; first < pieces.size(); first += kPiecesAtOnce) {
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    const auto some = std::span(pieces).subspan(first, std::min(kPiecesAtOnce, pieces.size() - first));
    std::vector<std::uint64_t> offsets{0};
    for (const AddressRange& piece : some) offsets.push_back(offsets.back() + piece.sizeBytes());
    buffer.resize(offsets.back());
    std::vector<KindCounts> counts(some.size());
    tbb::parallel_for(std::size_t{0}, some.size(), [&](std::size_t i) {
      plan.fill(some[i], std::span(buffer).subspan(offsets[i], some[i].sizeBytes()), counts[i]);
    });
    for (const KindCounts& one : counts)
      for (std::size_t kind = 0; kind < kept.size(); ++kind) kept[kind] += one[kind];
    HEAPSCAPE_CHECK(visit(some, Bytes(buffer)));
    done += buffer.size();
    progress.report(static_cast<double>(done) / static_cast<double>(all));
  }
  return {};
}

std::vector<KeptBytes> keptBytesOf(const KindCounts& counts) {
  std::vector<KeptBytes> kept;
  for (const KeptKind kind : membersOf<KeptKind>())
    if (const std::uint64_t bytes = counts[static_cast<std::size_t>(kind)])
      kept.push_back({toString(kind), bytes, meaningOf(kind)});
  return kept;
}

/// What a kind of memory in the dump is a part of, in the words of heapscape-cli memory.
MemoryOwner ownerOf(KeptKind kind) {
  switch (kind) {
    case KeptKind::Objects:
      return MemoryOwner::GcUsed;
    case KeptKind::GcTables:
    case KeptKind::HandleTables:
      return MemoryOwner::GcBookkeeping;
    case KeptKind::LoaderHeaps:
      return MemoryOwner::LoaderHeap;
    case KeptKind::CodeMaps:
      return MemoryOwner::JitCode;
    case KeptKind::RuntimeData:
    case KeptKind::Metadata:
    case KeptKind::Libraries:
      return MemoryOwner::MappedFile;
    case KeptKind::NativeStructures:
      return MemoryOwner::NativeHeap;
    case KeptKind::Stacks:
      return MemoryOwner::ThreadStack;
    case KeptKind::Kernel:
      return MemoryOwner::Other;
  }
  return MemoryOwner::Other;
}

Outcome<std::vector<RemovedBytes>> removedBytes(const Snapshot& snapshot, const KindCounts& kept,
                                                std::stop_token stop) {
  HEAPSCAPE_TRY(const ProcessMemory memory, processMemoryOf(snapshot, stop));
  std::map<MemoryOwner, std::uint64_t> left;
  for (const KeptKind kind : membersOf<KeptKind>()) left[ownerOf(kind)] += kept[static_cast<std::size_t>(kind)];
  std::vector<RemovedBytes> removed;
  for (const OwnedMemory& owned : memoryByOwner(memory)) {
    const std::uint64_t bytes = owned.inDumpBytes - std::min(owned.inDumpBytes, left[owned.owner]);
    if (bytes) removed.push_back({toString(owned.owner), bytes});
  }
  return removed;
}

/// The choices that a copy says it was made with.
RedactOptions optionsIn(const Redaction& redaction) {
  RedactOptions options;
  if (redaction.text.empty()) return options;
  options.isSlim = redaction.hasContents;
  options.keepsLengths = redaction.keeps(kKeptLengths);
  options.keepsEnums = redaction.keeps(kKeptEnums);
  options.keepsBooleans = redaction.keeps(kKeptBooleans);
  options.keepsCounts = redaction.keeps(kKeptCounts);
  options.areStringsHashed = redaction.keeps(kKeptHashes);
  return options;
}

/// Adds the stretches of a piece of memory that hold something else than what may be there.
void addUnexpected(const AddressSpace& memory, AddressRange piece, Bytes expected, std::vector<AddressRange>& left) {
  const auto view = memory.view(piece);
  if (!view) return;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (view->bytes[i] == std::byte{0} || view->bytes[i] == expected[i]) continue;
    const Address at = piece.start + i;
    if (!left.empty() && left.back().end == at)
      left.back().end += 1;
    else
      left.push_back({at, at + 1});
  }
}

bool isSameFile(const std::filesystem::path& left, const std::filesystem::path& right) {
  std::error_code ignored;
  return std::filesystem::equivalent(left, right, ignored);
}

}  // namespace

std::vector<std::string> choicesOf(const RedactOptions& options) {
  std::vector<std::string> choices;
  if (options.keepsLengths) choices.emplace_back(kKeptLengths);
  if (options.keepsEnums) choices.emplace_back(kKeptEnums);
  if (options.keepsBooleans) choices.emplace_back(kKeptBooleans);
  if (options.keepsCounts) choices.emplace_back(kKeptCounts);
  if (options.hashesStrings) choices.emplace_back(kKeptHashes);
  choices.emplace_back(options.renamedNamespaces.empty() ? kKeptNames : kRenamed);
  return choices;
}

Outcome<RedactionReport> writeRedacted(const Snapshot& snapshot, const std::filesystem::path& target,
                                       const RedactOptions& options, ProgressSink* progress, std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  if (isSameFile(contents.file->path(), target)) {
    return tl::unexpected<Unfinished>(
        Error{ErrorCode::FileUnreadable, "The copy would take the place of the dump itself.", "Name another file."});
  }
  if (options.isSlim && !options.renamedNamespaces.empty()) {
    return tl::unexpected<Unfinished>(Error{ErrorCode::BadQuery, "A copy with all its contents names what it holds.",
                                            "Leave --slim out to rename namespaces."});
  }
  RedactOptions chosen = options;
  if (chosen.hashesStrings) {
    std::random_device random;
    for (std::byte& byte : chosen.key) byte = static_cast<std::byte>(random());
  }
  StageProgress planning(progress, "choosing what stays", 0, 0.3);
  HEAPSCAPE_TRY(const auto plan, RedactionPlan::of(snapshot, chosen, stop));
  planning.report(1);
  StageProgress writing(progress, "writing the copy", 0.3, 1);

  const std::vector<CopySegment> segments = segmentsOf(*contents.core, plan->pages());
  const std::vector<std::byte> head = headOf(*contents.core, contents.file->bytes(), segments,
                                             redactedNotes(contents, *plan, saidOf(snapshot, options)));
  std::vector<AddressRange> ranges;
  std::uint64_t bytes = head.size();
  for (const CopySegment& segment : segments) {
    if (segment.fileBytes) ranges.push_back({segment.range.start, segment.range.start + segment.fileBytes});
    bytes += segment.fileBytes;
  }
  HEAPSCAPE_TRY(CopyFile file, CopyFile::create(target));
  file.expect(bytes);
  HEAPSCAPE_CHECK(file.append(head));
  KindCounts counts{};
  HEAPSCAPE_CHECK(
      fillAll(*plan, ranges, counts, writing, stop, [&](std::span<const AddressRange>, Bytes filled) -> Outcome<void> {
        HEAPSCAPE_CHECK(file.append(filled));
        return {};
      }));
  HEAPSCAPE_CHECK(file.finish());

  RedactionReport report{.kept = keptBytesOf(counts),
                         .choices = choicesOf(options),
                         .dumpBytes = contents.core->fileBytes,
                         .copyBytes = bytes,
                         .fileBytes = file.fileBytes()};
  HEAPSCAPE_TRY(report.removed, removedBytes(snapshot, counts, stop));
  return report;
}

Outcome<RedactionCheck> checkRedacted(const Snapshot& snapshot, ProgressSink* progress, std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  const Redaction redaction = contents.core->redaction.value_or(Redaction{});
  RedactionCheck check{.redaction = redaction.text};
  HEAPSCAPE_TRY(const auto plan, RedactionPlan::of(snapshot, optionsIn(redaction), stop));
  StageProgress reading(progress, "reading the copy", 0.3, 1);
  std::vector<AddressRange> ranges;
  for (const LoadSegment& load : contents.core->loads)
    if (load.fileBytes) ranges.push_back({load.range.start, load.range.start + load.fileBytes});
  KindCounts counts{};
  std::vector<AddressRange> left;  // what is there and the plan has not
  HEAPSCAPE_CHECK(fillAll(*plan, ranges, counts, reading, stop,
                          [&](std::span<const AddressRange> pieces, Bytes filled) -> Outcome<void> {
                            for (const AddressRange& piece : pieces) {
                              addUnexpected(*contents.memory, piece, filled.first(piece.sizeBytes()), left);
                              filled = filled.subspan(piece.sizeBytes());
                            }
                            return {};
                          }));
  check.kept = keptBytesOf(counts);
  if (redaction.hasContents) check.suspicious.push_back({"contents", 0, "the copy was made with all its contents"});
  std::uint64_t bytes = 0;
  for (const AddressRange& range : left) bytes += range.sizeBytes();
  if (bytes) {
    check.suspicious.push_back(
        {"memory", bytes, fmt::format("{} stretches, the first at {}", left.size(), toString(left.front().start))});
  }
  const std::uint64_t notes = plan->options().isSlim ? 0 : unexpectedNoteBytes(contents, *plan);
  if (notes) check.suspicious.push_back({"notes", notes, "registers, arguments or other notes of the core file"});
  return check;
}

}  // namespace heapscape::engine
