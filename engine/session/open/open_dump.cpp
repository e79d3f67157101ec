// SPDX-License-Identifier: MIT
#include "session/open/open_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/progress.h"
#include "base/result.h"
#include "gcdump/gcdump_reader.h"
#include "graph/gc_desc.h"
#include "heap/allocation_gaps.h"
#include "heap/object_walk.h"
#include "heap/segment_reader.h"
#include "heap/walk_types.h"
#include "layout/declared/finders/assembly_finders.h"
#include "memory/file_backed_memory.h"
#include "memory/files/recorded_path.h"
#include "memory/packing/unpacked_core.h"
#include "runtime/gc/handles.h"
#include "runtime/modules/load_contexts.h"
#include "runtime/modules/metadata_identity.h"
#include "runtime/threads/sync_blocks.h"
#include "runtime/threads/threads.h"
#include "session/cache/answer_cache.h"
#include "session/heap/bad_objects.h"
#include "session/open/memory_need.h"
#include "session/open/missing_files.h"
#include "session/open/open_gcdump.h"
#include "session/open/summarise.h"
#include "session/open/type_paddings.h"
#include "session/roots/statics_query.h"
#include "session/snapshot/contents.h"
#include "session/snapshot/heap_presence.h"
#include "session/snapshot/stage_clock.h"
#include "session/stacks/stacks_query.h"
#include "stacks/exception_handling.h"

namespace heapscape::engine {
namespace {

// An index and types, as after a walk; nothing is counted, for it would be no figure.
struct KnownObjects {
  // Those given, or, of a dump that lists none, what is there around the objects: these have no address, and no
  // generation that could be told.
  std::vector<Segment> segments;
  WalkedHeap heap;
};

// The references of larger objects are passed over: such a dump holds only a page of them here and there.
constexpr std::uint64_t kLargestFollowed = 16 << 20;

// Bytes of an object, where no segment says how far it may go.
constexpr std::uint64_t kLargestUnlisted = 1 << 20;

class ObjectFinder {
 public:
  ObjectFinder(const Contents& contents, const std::vector<Segment>& segments, Address freeMethodTable,
               std::stop_token stop)
      : m_contents(contents),
        m_memory(*contents.memory),
        m_segments(segments),
        m_types(contents.readers->methodTables, freeMethodTable),
        m_stop(std::move(stop)) {}

  Outcome<KnownObjects> find() {
    addThreads();
    HEAPSCAPE_CHECK(addStacks());
    addHandles();
    HEAPSCAPE_CHECK(addStatics());
    for (std::uint64_t steps = 0; !m_open.empty(); ++steps) {
      if (steps % kStopInterval == 0 && m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      const Found found = m_open.back();
      m_open.pop_back();
      follow(found);
    }
    return finish();
  }

 private:
  struct Found {
    Address object;
    const TypeIndex::Slot* type = nullptr;
    std::uint64_t alignedBytes = 0;
  };

  void addThreads() {
    FindingList known;  // whoever lists them tells of damage
    for (const RuntimeThread& thread : readThreads(m_contents.readers->runtime, known)) {
      const ThreadDetails details = readThreadDetails(*m_contents.readers, thread);
      add(details.managedThread);
      add(details.exception);
      for (const ExceptionOnItsWay& exception : exceptionsOf(m_contents.readers->runtime, thread.address))
        add(exception.object);
    }
  }

  Outcome<void> addStacks() {
    const Snapshot snapshot(std::make_shared<const Contents>(m_contents));
    HEAPSCAPE_TRY(const StackList list, readStacks(snapshot, {}, m_stop));
    for (const ThreadStackRow& stack : list.threads)
      for (const StackRootRow& root : stack.roots) add(root.object);
    return {};
  }

  void addHandles() {
    FindingList known;
    for (const GcHandle& handle : readHandles(m_contents.readers->runtime, false, known)) {
      add(handle.object);
      add(handle.dependent);
    }
    for (const SyncBlock& block : readSyncBlocks(m_contents.readers->runtime, known)) add(block.object);
  }

  Outcome<void> addStatics() {
    const Snapshot snapshot(std::make_shared<const Contents>(m_contents));
    HEAPSCAPE_TRY(const StaticList list, listStatics(snapshot, {.includeUninitialised = false}, m_stop));
    for (const StaticRow& row : list.statics) {
      Address object = row.value.value.object;
      if (row.isBoxed && !m_memory.tryRead(row.address, object)) continue;
      add(object);
    }
    return {};
  }

  /// Where an object at an address has to end: with its segment, or if none is listed with what the dump holds there.
  AddressRange placeOf(Address object) const {
    if (m_segments.empty()) {
      for (const AddressRange& part : m_memory.present({object, object + kLargestUnlisted}))
        return part.start == object ? part : AddressRange{};
      return {};
    }
    const auto segment =
        std::upper_bound(m_segments.begin(), m_segments.end(), object,
                         [](Address address, const Segment& one) { return address < one.objects.end; });
    return segment != m_segments.end() && segment->objects.contains(object) ? segment->objects : AddressRange{};
  }

  /// Nothing where no object can begin, or where one is known already.
  void add(Address object) {
    if (!object || object.value % kPointerBytes != 0 || m_found.contains(object)) return;
    const AddressRange place = placeOf(object);
    std::uint64_t head = 0;
    std::uint32_t components = 0;
    if (place.isEmpty() || !m_memory.tryRead(object, head) ||
        !m_memory.tryRead(object + kComponentsOffset, components)) {
      return;
    }
    const TypeIndex::Slot* type = m_types.find(head & kMethodTableMask);
    if (!type) return;
    const std::uint64_t bytes = alignUp(objectSize(type->baseSize, type->componentSize, components), kPointerBytes);
    if (bytes > place.end - object && (!m_segments.empty() || bytes > kLargestUnlisted)) return;
    m_found.emplace(object, bytes);
    m_met.emplace(type->methodTable, m_types.index().shape({type->type}));
    m_open.push_back({object, type, bytes});
  }

  void follow(const Found& found) {
    add(found.object + found.alignedBytes);  // the next one in the heap
    if (found.type->freeMask || found.alignedBytes > kLargestFollowed) return;
    const std::optional<GcDesc>& places = placesOf(found.type->methodTable);
    if (!places) return;
    places->forEachPlace(found.alignedBytes, [&](std::uint64_t offset) {
      Address target;
      if (m_memory.tryRead(found.object + offset, target)) add(target);
    });
  }

  const std::optional<GcDesc>& placesOf(std::uint64_t methodTable) {
    const auto [known, isNew] = m_places.try_emplace(methodTable);
    if (!isNew) return known->second;
    const auto type = m_contents.readers->methodTables.read({methodTable});
    auto places = type ? readGcDesc(m_contents.readers->runtime, *type) : Result<GcDesc>(GcDesc());
    if (places && !places->isEmpty()) known->second = std::move(*places);
    return known->second;
  }

  /// Parts of memory that objects lie in, each from its first object to the end of its last.
  std::vector<Segment> segmentsAroundObjects() const {
    std::vector<Segment> segments;
    Address partEnd;  // of what the dump holds behind the last object
    for (const auto& [object, bytes] : m_found) {
      const Address end = object + bytes;
      if (segments.empty() || object >= partEnd) segments.emplace_back().objects = {object, end};
      Segment& segment = segments.back();
      segment.objects.end = std::max(segment.objects.end, end);
      segment.committedEnd = segment.reservedEnd = segment.objects.end;
      segment.generations = {{Generation::Gen0, segment.objects}};
      partEnd = std::max(partEnd, Address{alignUp(end.value, kPageBytes)});
    }
    return segments;
  }

  KnownObjects finish() {
    std::vector<Segment> segments = m_segments.empty() ? segmentsAroundObjects() : m_segments;
    ObjectIndex index(segments);
    for (const auto& [object, bytes] : m_found) {
      const SegmentId segment = index.segmentOf(object);
      if (segment.isNone()) continue;
      const std::uint64_t place = (object - segments[segment.value].objects.start) / kPointerBytes;
      index.wordsOf(segment)[place / 64] |= 1ull << place % 64;
    }
    index.finish();
    WalkedHeap heap{std::move(index), {}, TypeCounts(m_met.size()), {}, {}, {}, {}};
    for (const auto& [methodTable, shape] : m_met) {
      const TypeId id = heap.types.insert({methodTable}, shape);
      if (shape.isFree) heap.freeType = id;
    }
    for (const Segment& segment : segments)
      heap.segments.push_back({.totals = {}, .unreadBytes = segment.objects.sizeBytes()});
    return {std::move(segments), std::move(heap)};
  }

  const Contents& m_contents;
  const AddressSpace& m_memory;
  const std::vector<Segment>& m_segments;  // by address; empty where the dump lists none
  WalkTypes m_types;
  std::stop_token m_stop;
  std::map<Address, std::uint64_t> m_found;    // with the bytes that each takes up
  std::map<std::uint64_t, ObjectShape> m_met;  // by method table
  std::unordered_map<std::uint64_t, std::optional<GcDesc>> m_places;
  std::vector<Found> m_open;
};

// The objects of a dump without a heap that can be told all the same: those that threads, their stacks and exceptions,
// handles, sync blocks and statics lead to, what these refer to, and what follows one of them in the heap, as far as
// their memory is in the dump.
Outcome<KnownObjects> findKnownObjects(const Contents& contents, const std::vector<Segment>& segments,
                                       std::stop_token stop) {
  HEAPSCAPE_TRY(const Address freeMethodTable, contents.readers->runtime.globalPointer("FreeObjectMethodTable"));
  return ObjectFinder(contents, segments, freeMethodTable, std::move(stop)).find();
}

// How much of the whole each stage takes, from measurements; decompression outweighs all else.
constexpr double kFileShareCompressed = 0.75;
constexpr double kFileShare = 0.05;
constexpr double kShareUpToLayouts = 0.12;  // if references and retained sizes follow
// Shares of what follows the file, where each stage ends.
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
    if (isGcDump(m_contents.file->bytes())) return openRecorded();
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
      const bool hasLayouts = m_contents.readers->fields.areTold();
      if (m_options.stopAfter > Stage::Objects && hasLayouts) m_paddings.emplace(m_contents, m_stop);
      HEAPSCAPE_CHECK(nameTypes());
      noteCoverage();
      HEAPSCAPE_CHECK(publish(Stage::Objects));
    }
    if (m_options.stopAfter > Stage::Objects) {
      if (m_stop.stop_requested()) return cancelled();
      HEAPSCAPE_CHECK(takePaddings());
      HEAPSCAPE_CHECK(publish(Stage::Layouts));
    }
    if (m_options.stopAfter > Stage::Layouts)
      return addRetained(snapshot(), m_options.retained, m_listener, m_stop, m_end);
    return snapshot();
  }

  /// All but dominators is there at once.
  Outcome<Snapshot> openRecorded() {
    HEAPSCAPE_CHECK(readRecorded());
    for (Stage stage = Stage::Summary; stage <= std::min(m_options.stopAfter, Stage::Layouts);
         stage = static_cast<Stage>(static_cast<int>(stage) + 1))
      HEAPSCAPE_CHECK(publish(stage));
    if (m_options.stopAfter > Stage::Layouts)
      return addRetained(snapshot(), m_options.retained, m_listener, m_stop, m_end);
    return snapshot();
  }

  Outcome<void> readRecorded() {
    const StageClock clock(m_contents.timings, "objects");
    StageProgress reading = progress("reading the objects", 0, kWalkedEnd);
    HEAPSCAPE_TRY(const GcDump dump, readGcDump(m_contents.file->bytes(), reading, m_stop));
    return takeGcDump(m_contents, dump, m_stop);
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

  // A cut dump may hold the table of globals but not what it points to; the version or kind of dump does not matter.
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
    ContextsByModule contexts;
    for (std::uint32_t i = 0; i < rows->size(); ++i) {
      if (m_stop.stop_requested()) return cancelled();
      TypeRow& row = (*rows)[i];
      row.methodTable = heap.types.methodTable({i});
      row.isFree = heap.types.shape({i}).isFree;
      row.baseSize = heap.types.shape({i}).baseSize;
      row.componentSize = heap.types.shape({i}).componentSize;
      row.name = row.isFree ? "Free" : readers.names.nameOf(row.methodTable);
      if (!row.isFree) noteOrigin(row, contexts);
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

  /// Texts and objects of load contexts, by the module that a type lives with.
  using ContextsByModule = std::unordered_map<const Module*, std::pair<std::string, Address>>;

  void noteOrigin(TypeRow& row, ContextsByModule& contexts) const {
    const RuntimeReaders& readers = *m_contents.readers;
    const auto type = readers.methodTables.read(row.methodTable);
    if (!type) return;
    if (const Module* module = readers.modules.definingModule(readers.methodTables, *type)) row.assembly = module->name;
    const auto [known, isNew] = contexts.try_emplace(moduleLivedWith(readers, *type));
    if (isNew && known->first) {
      const LoadContext context = contextOf(readers, *known->first);
      known->second = {textOf(context), context.object};
    }
    std::tie(row.loadContext, row.loadContextObject) = known->second;
  }

  Outcome<void> takePaddings() {
    const StageClock clock(m_contents.timings, "layouts");
    StageProgress reading = progress("reading layouts", kNamedEnd, 1);
    if (m_paddings) return m_paddings->finish(m_contents, reading);
    reading.report(1);
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
  std::optional<TypePaddings> m_paddings;  // from the walk on, if they are wanted and layouts are known
};

}  // namespace

Outcome<Snapshot> openDump(const std::filesystem::path& path, const OpenOptions& options, OpenListener* listener,
                           std::stop_token stop) {
  return DumpOpener(path, options, listener, std::move(stop)).open();
}

}  // namespace heapscape::engine
