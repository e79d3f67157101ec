// SPDX-License-Identifier: MIT
#include "session/open/open_dump.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "heap/allocation_gaps.h"
#include "heap/segment_reader.h"
#include "layout/declared/finders/assembly_finders.h"
#include "memory/file_backed_memory.h"
#include "memory/files/recorded_path.h"
#include "memory/packing/unpacked_core.h"
#include "runtime/modules/load_contexts.h"
#include "runtime/modules/metadata_identity.h"
#include "session/cache/file_changes.h"
#include "session/heap/bad_objects.h"
#include "session/open/coverage_text.h"
#include "session/open/dump_kind.h"
#include "session/open/free_memory.h"
#include "session/open/images_beside_files.h"
#include "session/open/known_objects.h"
#include "session/open/summarise.h"
#include "session/snapshot/contents.h"
#include "session/snapshot/heap_presence.h"
#include "session/snapshot/stage_clock.h"

namespace heapscape::engine {
namespace {

// How much of the whole each stage takes, from measurements; decompression outweighs all else.
constexpr double kFileShareCompressed = 0.75;
constexpr double kFileShare = 0.05;
constexpr double kShareUpToLayouts = 0.12;  // if references and retained sizes follow
// Of what follows the file, where each stage ends.
constexpr double kReadEnd = 0.35;
constexpr double kWalkedEnd = 0.9;
constexpr double kNamedEnd = 0.95;

constexpr double kMostOfMemory = 0.75;  // of what is free, that a heap may take and still be there when it is walked

class DumpOpener {
 public:
  DumpOpener(std::filesystem::path path, const OpenOptions& options, OpenListener* listener, std::stop_token stop)
      : m_path(std::move(path)), m_options(options), m_listener(listener), m_stop(std::move(stop)) {
    m_end = m_options.stopAfter > Stage::Layouts ? kShareUpToLayouts : 1;
    m_fileShare = m_end * (isPackedFile(m_path) ? kFileShareCompressed : kFileShare);
  }

  /// Why opening failed, or else that the file was changed, which explains any damage.
  Outcome<Snapshot> open() {
    auto opened = openStages();
    if (opened || opened.error().isCancelled()) return opened;
    if (auto changed = FileChanges(m_contents.memory).error()) return tl::unexpected(Unfinished(std::move(*changed)));
    return opened;
  }

 private:
  Outcome<Snapshot> openStages() {
    HEAPSCAPE_CHECK(openFile());
    HEAPSCAPE_CHECK(readRuntime());
    readHeapSegments();
    if (m_heap != HeapPresence::There) HEAPSCAPE_CHECK(readKnownObjects());
    HEAPSCAPE_CHECK(publish(Stage::Summary));
    if (m_options.stopAfter > Stage::Summary) {
      if (m_stop.stop_requested()) return cancelled();
      m_contents.segments = m_segments;
      HEAPSCAPE_CHECK(publish(Stage::Segments));
    }
    if (m_heap != HeapPresence::There) return snapshot();
    if (m_options.stopAfter > Stage::Segments) {
      if (m_stop.stop_requested()) return cancelled();
      HEAPSCAPE_CHECK(walkObjects());
      HEAPSCAPE_CHECK(nameTypes());
      noteCoverage();
      HEAPSCAPE_CHECK(publish(Stage::Objects));
    }
    if (m_options.stopAfter > Stage::Objects) {
      if (m_stop.stop_requested()) return cancelled();
      HEAPSCAPE_CHECK(readPaddings());
      HEAPSCAPE_CHECK(publish(Stage::Layouts));
    }
    if (m_options.stopAfter > Stage::Layouts)
      return addRetained(snapshot(), m_options.retained, m_listener, m_stop, m_end);
    return snapshot();
  }

  Snapshot snapshot() const { return Snapshot(std::make_shared<const Contents>(m_contents)); }

  /// Nothing goes out that was read from a file while others changed it.
  Outcome<void> publish(Stage stage) {
    if (auto changed = FileChanges(m_contents.memory).error()) return tl::unexpected(Unfinished(std::move(*changed)));
    m_contents.stage = stage;
    if (m_listener) m_listener->stageReady(snapshot());
    return {};
  }

  StageProgress progress(std::string activity, double from, double to) const {
    const double rest = m_end - m_fileShare;
    return StageProgress(m_listener, std::move(activity), m_fileShare + rest * from, m_fileShare + rest * to);
  }

  tl::unexpected<Unfinished> cancelled() const { return tl::unexpected(Unfinished::cancelled()); }

  Outcome<void> openFile() {
    const StageClock clock(m_contents.timings, "file");
    StageProgress fileProgress(m_listener, "opening the file", 0, m_fileShare);
    HEAPSCAPE_TRY(m_contents.file, DumpFile::open(m_path, fileProgress, m_stop));
    return {};
  }

  Outcome<void> readRuntime() {
    const StageClock clock(m_contents.timings, "open");
    auto core = parseElfCore(m_contents.file->bytes());
    if (!core) return tl::unexpected(Unfinished(core.error()));
    if (!m_contents.file->damage().empty())
      m_contents.findings.add(FindingKind::DumpTruncated, {}, m_contents.file->damage());
    m_contents.findings.append(core->findings);
    m_contents.core = std::make_shared<const ElfCore>(std::move(*core));
    const AddressSpace dumpMemory(m_contents.file, *m_contents.core);
    const auto files = std::make_shared<FileBackedMemory>(dumpMemory, *m_contents.core, placesOfFiles());
    m_contents.memory = std::make_shared<const AddressSpace>(dumpMemory, files);
    if (m_stop.stop_requested()) return cancelled();

    progress("reading the modules", 0, 0).report(0);
    auto library = findRuntimeLibrary(*m_contents.memory, *m_contents.core);
    if (!library) return tl::unexpected(Unfinished(library.error()));
    auto selected = selectContract(*m_contents.memory, *library, m_options.searchFolders);
    if (!selected) return tl::unexpected(Unfinished(explainMissingData(selected.error())));
    files->setConstantParts(readyToRunConstants(*selected));
    files->addProof(FileIdentity::NativeCode, readyToRunProof(*library, *selected));
    ClrRuntime runtime(m_contents.memory, *library, *selected);
    files->addImages(imagesBesideFiles(*m_contents.core, runtime));
    // A composite image is proven by its code alone, and then tells of the assemblies in it.
    files->addProof(FileIdentity::Mvid, componentMvidProof(*library, *selected, componentMvids(runtime)));
    files->addProof(FileIdentity::MetadataShape, metadataShapeProof(*library, *selected));
    m_contents.readers =
        std::make_shared<const RuntimeReaders>(std::move(runtime), m_contents.core->files, m_contents.findings);
    if (m_stop.stop_requested()) return cancelled();

    auto gc = readGcState(m_contents.readers->runtime);
    if (!gc) return tl::unexpected(Unfinished(explainMissingGc(gc.error())));
    m_contents.gc = std::make_shared<const GcState>(std::move(*gc));
    summarise(m_contents, m_path);
    return {};
  }

  FilePlaces placesOfFiles() const {
    return {.hasRecordedPaths = areRecordedPathsSeen(),
            .folders = {m_path.parent_path()},
            .trees = m_options.searchFolders,
            .dotnets = installedDotnets(),
            .packages = installedPackages(),
            .stop = m_stop};
  }

  // A cut dump may hold the table of globals but not what it points to; that is no question of versions or kinds of
  // dump.
  Error explainMissingData(const Error& error) const {
    if (m_contents.core->missingFileBytes == 0) return error;
    return {
        ErrorCode::Truncated,
        fmt::format(
            "This dump is cut: {} bytes of it are missing, among them the runtime's own data, without which its heap "
            "cannot be read.",
            m_contents.core->missingFileBytes),
        "Copy the file again, or take a new dump."};
  }

  // createdump leaves the runtime's variables out of what it does not know to be a runtime.
  Error explainMissingGc(const Error& error) const {
    const bool isSingleFile = !m_contents.readers->runtime.library().path.ends_with("/libcoreclr.so");
    if (error.code != ErrorCode::NoHeap || !isSingleFile || m_contents.core->missingFileBytes > 0)
      return explainMissingData(error);
    return {error.code, "This dump of a single-file program does not hold the garbage collector's data.",
            "Take one with `createdump --full PID`; smaller ones need `createdump --withheap --singlefile PID` and the "
            "runtime's libmscordaccore.so beside the program."};
  }

  void readHeapSegments() {
    const StageClock clock(m_contents.timings, "segments");
    FindingList findings;
    m_segments = std::make_shared<const std::vector<Segment>>(
        readSegments(m_contents.readers->runtime, *m_contents.gc, findings));
    m_heap = heapPresenceOf(*m_contents.readers, *m_contents.core, *m_segments);
    // That the lists are not there is what such a dump is like, and no damage.
    if (m_heap != HeapPresence::LeftOut || listHeap(*m_segments)) m_contents.findings.append(findings);
  }

  // The index takes memory for every byte of the segments, of which such a dump has next to none.
  static constexpr std::uint64_t kMostIndexed = 32ull << 30;

  Outcome<void> readKnownObjects() {
    const StageClock clock(m_contents.timings, "objects");
    std::uint64_t bytes = 0;
    for (const Segment& segment : *m_segments) bytes += segment.objects.sizeBytes();
    DumpSummary& dump = m_contents.summary.dump;
    if (m_heap == HeapPresence::LeftOut && dump.kind == DumpKind::Heap) dump.kind = smallDumpKindOf(*m_segments);
    if (bytes > kMostIndexed || !listHeap(*m_segments)) m_segments = std::make_shared<const std::vector<Segment>>();
    HEAPSCAPE_TRY(KnownObjects known, findKnownObjects(m_contents, *m_segments, m_stop));
    m_segments = m_contents.segments = std::make_shared<const std::vector<Segment>>(std::move(known.segments));
    m_contents.heap = std::make_shared<const WalkedHeap>(std::move(known.heap));
    HEAPSCAPE_CHECK(nameTypes());
    const Error none = noHeapIn(snapshot());
    m_contents.summary.missing.insert(m_contents.summary.missing.begin(), {none.what, none.help});
    return {};
  }

  // What was read ahead would be gone again by the time it is walked if memory did not hold all of it.
  HeapPages mapHeap() {
    const StageClock clock(m_contents.timings, "map");
    StageProgress mapping = progress("reading the heap", 0, kReadEnd);
    std::vector<AddressRange> ranges;
    std::uint64_t bytes = 0;
    for (const Segment& segment : *m_contents.segments) {
      ranges.push_back(segment.objects);
      bytes += segment.objects.sizeBytes();
    }
    const auto free = freeMemoryBytes();
    if (free && static_cast<double>(bytes) > kMostOfMemory * static_cast<double>(*free)) return HeapPages::OnDisk;
    m_contents.memory->populate(ranges, mapping, m_stop);
    return HeapPages::InMemory;
  }

  Outcome<void> walkObjects() {
    const RuntimeReaders& readers = *m_contents.readers;
    const HeapPages pages = mapHeap();
    if (m_stop.stop_requested()) return cancelled();
    const StageClock clock(m_contents.timings, "objects");
    StageProgress walking = progress("walking the objects", kReadEnd, kWalkedEnd);
    const auto gaps = findAllocationGaps(readThreads(readers.runtime, m_contents.findings), *m_contents.gc,
                                         readers.runtime.contract().constant("AllocContextGapSlack"));
    HEAPSCAPE_TRY(WalkedHeap heap, walkHeap(readers.methodTables, *m_contents.segments, gaps, pages, walking, m_stop));
    m_contents.findings.append(heap.findings);
    m_contents.heap = std::make_shared<const WalkedHeap>(std::move(heap));
    return {};
  }

  void noteCoverage() {
    std::uint64_t unread = 0;
    for (const SegmentContents& contents : m_contents.heap->segments) unread += contents.unreadBytes;
    if (unread == 0) return;
    const auto bad = badObjects(snapshot(), m_contents.findings.items(), 1);
    const std::string help = bad.empty() ? "Take a new dump, or copy the file again if it is shorter than it was."
                                         : fmt::format("{} {}", bad.front().what, bad.front().advice);
    m_contents.summary.missing.push_back(
        {fmt::format("{} bytes of the heap: {} of it was walked.", unread, coverageText(snapshot())),
         m_contents.gc->structuresInvalid ? "Take another dump; with luck not in the middle of a collection." : help});
  }

  Outcome<void> nameTypes() {
    const StageClock clock(m_contents.timings, "types");
    StageProgress naming = progress("naming the types", kWalkedEnd, kNamedEnd);
    const RuntimeReaders& readers = *m_contents.readers;
    const WalkedHeap& heap = *m_contents.heap;
    auto rows = std::make_shared<std::vector<TypeRow>>(heap.types.size());
    for (std::uint32_t i = 0; i < rows->size(); ++i) {
      if (m_stop.stop_requested()) return cancelled();
      TypeRow& row = (*rows)[i];
      row.methodTable = heap.types.methodTable({i});
      row.isFree = heap.types.shape({i}).isFree;
      row.baseSize = heap.types.shape({i}).baseSize;
      row.componentSize = heap.types.shape({i}).componentSize;
      row.name = row.isFree ? "Free" : readers.names.nameOf(row.methodTable);
      if (!row.isFree) noteOrigin(row);
      naming.report(static_cast<double>(i) / static_cast<double>(rows->size()));
    }
    if (const std::size_t cut = readers.names.cutNames(); cut > 0) {
      m_contents.findings.add(FindingKind::NamesCut, {},
                              fmt::format("The names of {} types are cut, because all names together are longer than "
                                          "{} bytes, which those of no program are.",
                                          cut, kLimits.typeNamesBytes));
    }
    m_contents.types = std::move(rows);
    // What was made before knows nothing of objects, nor of types that only objects tell of.
    m_contents.declaredLayouts = std::make_shared<OnDemand<DeclaredLayouts>>();
    m_contents.locks = std::make_shared<OnDemand<LockList>>();
    m_contents.stacks = std::make_shared<OnDemand<StackList>>();
    m_contents.stacksInWords = std::make_shared<OnDemand<StackList>>();
    return {};
  }

  void noteOrigin(TypeRow& row) const {
    const RuntimeReaders& readers = *m_contents.readers;
    const auto type = readers.methodTables.read(row.methodTable);
    if (!type) return;
    if (const Module* module = readers.modules.definingModule(readers.methodTables, *type)) row.assembly = module->name;
    const LoadContext context = contextOfType(readers, *type);
    row.loadContext = textOf(context);
    row.loadContextObject = context.object;
  }

  Outcome<void> readPaddings() {
    const StageClock clock(m_contents.timings, "layouts");
    StageProgress reading = progress("reading layouts", kNamedEnd, 1);
    const LayoutSources sources = m_contents.layoutSources();
    const WalkedHeap& heap = *m_contents.heap;
    auto paddings = std::make_shared<std::vector<PaddingPerInstance>>(heap.types.size());
    auto bytes = std::make_shared<std::vector<std::uint64_t>>(heap.types.size());
    for (std::uint32_t i = 0; i < paddings->size(); ++i) {
      if (m_stop.stop_requested()) return cancelled();
      if (!heap.types.shape({i}).isFree) {
        const auto read = paddingPerInstance(sources, heap.types.methodTable({i}));
        if (read) {
          (*paddings)[i] = *read;
        } else {
          m_contents.findings.add(
              FindingKind::LayoutMismatch, heap.types.methodTable({i}),
              "The padding of " + (*m_contents.types)[i].name + " is not counted: " + read.error().what);
        }
      }
      const PaddingPerInstance& padding = (*paddings)[i];
      (*bytes)[i] = padding.ofObject * heap.counts.count[i] + padding.ofElement * heap.counts.components[i];
      reading.report(static_cast<double>(i + 1) / static_cast<double>(paddings->size()));
    }
    m_contents.paddings = std::move(paddings);
    m_contents.typePaddingBytes = std::move(bytes);
    return {};
  }

  std::filesystem::path m_path;
  const OpenOptions& m_options;
  OpenListener* m_listener;
  std::stop_token m_stop;
  double m_end;  // of the progress, when Layouts is done
  double m_fileShare;
  Contents m_contents;
  std::shared_ptr<const std::vector<Segment>> m_segments;  // before their stage is published
  HeapPresence m_heap = HeapPresence::There;
};

}  // namespace

Outcome<Snapshot> openDump(const std::filesystem::path& path, const OpenOptions& options, OpenListener* listener,
                           std::stop_token stop) {
  return DumpOpener(path, options, listener, std::move(stop)).open();
}

}  // namespace heapscape::engine
