// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/finding.h"
#include "base/ids.h"
#include "graph/retained/retained_by_type.h"
#include "heap/heap_totals.h"
#include "heap/segment.h"
#include "memory/elf/c_library.h"
#include "runtime/sources.h"

namespace heapscape::engine {

/// Stage of what is known; each adds to the one before and is usable when done.
enum class Stage : std::uint8_t { Summary, Segments, Objects, Layouts, References, Retained };

template <>
inline constexpr auto kEnumNames<Stage> = std::to_array<EnumName<Stage>>({{Stage::Summary, "summary"},
                                                                          {Stage::Segments, "segments"},
                                                                          {Stage::Objects, "objects"},
                                                                          {Stage::Layouts, "layouts"},
                                                                          {Stage::References, "references"},
                                                                          {Stage::Retained, "retained"}});

struct RuntimeSummary {
  RuntimeFlavor flavor = RuntimeFlavor::CoreClr;
  std::string version;                    // "10.0.12"
  std::string architecture;               // "x64", "arm64"
  std::optional<CLibrary> cLibrary = {};  // nullopt if no file that was mapped shows it
  std::string buildId;                    // of libcoreclr.so; empty if not in the dump
  std::string libraryPath;                // of libcoreclr.so on the machine of the dump
  bool isServerGc = false;
  std::uint32_t heaps = 0;
  bool hasRegions = false;
  bool gcInProgress = false;
  ContractSource contract = ContractSource::Shipped;
  std::string contractVersion;                  // "10.0": what the offsets are for
  std::vector<std::string> contractVerifiedOn;  // releases that they were verified on
  bool contractVerified = false;                // this is one of those releases, with a table of globals as it has
  GlobalsSource globals = GlobalsSource::Dump;  // what told where the runtime's globals are
};

enum class DumpKind : std::uint8_t { Heap, Full, Mini, Triage, Gcore, Kernel, GcDump, Unknown };

template <>
inline constexpr auto kEnumNames<DumpKind> = std::to_array<EnumName<DumpKind>>({{DumpKind::Heap, "heap"},
                                                                                {DumpKind::Full, "full"},
                                                                                {DumpKind::Mini, "mini"},
                                                                                {DumpKind::Triage, "triage"},
                                                                                {DumpKind::Gcore, "gcore"},
                                                                                {DumpKind::Kernel, "kernel"},
                                                                                {DumpKind::GcDump, "gcdump"},
                                                                                {DumpKind::Unknown, "unknown"}});

struct DumpSummary {
  std::string path;
  DumpKind kind = DumpKind::Heap;
  std::uint32_t pid = 0;
  std::string command;
  std::uint64_t fileBytes = 0;  // of the core, decompressed
  bool isCompressed = false;
  std::uint32_t threads = 0;  // of the operating system
};

/// Something that could not be read, and what would help.
struct Missing {
  std::string what;
  std::string help;
};

struct Summary {
  RuntimeSummary runtime;
  DumpSummary dump;
  std::vector<Missing> missing;
};

/// One method table with objects on the heap.
struct TypeRow {
  std::string name;
  std::string assembly;  // file name of its module, "System.Private.CoreLib.dll"; empty if unknown
  /// "default", or the name or type of the AssemblyLoadContext that it lives with, with the address of a collectible
  /// one: "plugins 0x7f…"; empty if it cannot be told.
  std::string loadContext = {};
  Address loadContextObject = {};  // 0 for the default one
  Address methodTable;
  bool isFree = false;  // the runtime's marker for gaps, not a real type
  std::uint32_t baseSize = 0;
  std::uint32_t componentSize = 0;
};

struct ModuleRow {
  Address address;   // of the runtime's Module
  std::string name;  // file name, or the assembly's name for a module made at run time
  std::string path;
  std::string mvid;
  Address imageBase;  // 0 for a module made at run time
  std::uint64_t sizeBytes = 0;
  using MetadataSource = engine::MetadataSource;
  MetadataSource metadata = MetadataSource::Missing;
  bool isReadyToRun = false;
  bool isDynamic = false;
  bool isCollectible = false;
  std::string loadContext;  // "default", the context's own name or type; empty if it cannot be told
};

/// Seconds spent by stage.
struct StageTiming {
  std::string stage;
  double seconds = 0;
};

/// Totals of what the roots reach, which is live, and of what they do not: garbage that was not collected yet, and
/// frozen objects, which never are. Free objects are in neither. Bytes are aligned sizes.
struct RetainedTotals {
  std::uint64_t reachableObjects = 0, reachableBytes = 0;
  std::uint64_t unreachableObjects = 0, unreachableBytes = 0;
  std::uint64_t frozenObjects = 0, frozenBytes = 0;  // of the unreachable, as literals that nothing refers to

  std::uint64_t garbageObjects() const { return unreachableObjects - frozenObjects; }
  std::uint64_t garbageBytes() const { return unreachableBytes - frozenBytes; }
  RetainedTotals& operator+=(const RetainedTotals& other) {
    reachableObjects += other.reachableObjects;
    reachableBytes += other.reachableBytes;
    unreachableObjects += other.unreachableObjects;
    unreachableBytes += other.unreachableBytes;
    frozenObjects += other.frozenObjects;
    frozenBytes += other.frozenBytes;
    return *this;
  }

  bool operator==(const RetainedTotals&) const = default;
};

struct RootList;
struct RootOptions;
struct Contents;

/// Everything known about one dump after a stage. Immutable, cheap to copy, safe to read from any thread; the file
/// stays mapped as long as a snapshot of it lives. Members of a stage that is not done yet are empty.
class Snapshot {
 public:
  explicit Snapshot(std::shared_ptr<const Contents> contents) : m_contents(std::move(contents)) {}

  Stage stage() const;
  bool has(Stage stage) const { return this->stage() >= stage; }
  /// Whether it is of a heap that was recorded, as a .gcdump file holds it: types, sizes, references and roots, but no
  /// memory, and so nothing else. See recorded_heap.h.
  bool isRecorded() const;
  /// False of a recorded heap, and of a program compiled ahead of time without its file of debugging information: which
  /// words of an object are references is known there, but no fields.
  bool hasFields() const;
  /// False of a recorded heap, and of a program compiled ahead of time: there are no modules, methods and IL.
  bool hasAssemblies() const;

  // Summary
  const Summary& summary() const;
  /// The core's name in its archive; empty if it comes from none.
  const std::string& nameInArchive() const;
  /// Cores in the archive, of which the largest was opened; 0 without one.
  std::size_t coresInArchive() const;
  const std::vector<Finding>& findings() const;
  std::size_t findingsLeftOut() const;
  /// False if anything was missing or damaged on the way so far.
  bool isComplete() const;
  const std::vector<StageTiming>& timings() const;

  // Segments; index: SegmentId, in address order
  const std::vector<Segment>& segments() const;
  const std::vector<ModuleRow>& modules() const;

  // Objects
  const std::vector<SegmentContents>& segmentContents() const;
  /// By heap, then generation; only those that have a segment.
  const std::vector<GenerationRow>& generations() const;
  const std::vector<TypeRow>& types() const;
  /// Returns no type if no object of the heap has this method table.
  TypeId typeOf(Address methodTable) const;
  /// Empty for no type.
  const std::string& typeName(TypeId type) const;
  const TypeCounts& typeCounts() const;
  ObjectTotals totals() const;
  /// Share of the heap's object bytes that was read as objects and holds up: 1 if complete. See object_chain.h.
  double coverage() const;
  /// Bytes of our own memory that the object index takes.
  std::uint64_t indexBytes() const;

  // Layouts
  /// Padding of all instances, own and nested and in array elements; index: TypeId. Empty of a recorded heap.
  const std::vector<std::uint64_t>& typePaddingBytes() const;

  // References
  /// References between objects; some that count twice are left out, see graph/reference_graph.h.
  std::uint64_t referenceCount() const;

  // Retained
  RetainedTotals retainedTotals() const;
  /// The same of each part of the heap; empty before. Index: as in generations(), and SegmentId.
  const std::vector<RetainedTotals>& generationReach() const;
  const std::vector<RetainedTotals>& segmentReach() const;
  /// The same of the objects of a type; nothing if types were not asked for, and for free objects.
  std::optional<RetainedTotals> typeReach(TypeId type) const;
  /// The roots that the figures are seen from, and how they were chosen.
  const RootList& roots() const;
  const RootOptions& rootOptions() const;
  /// Returns what all reachable instances of a type retain together, one that another one dominates not added twice;
  /// index: TypeId. Empty if types were not asked for.
  const std::vector<RetainedOfType>& typeRetained() const;

  /// For the engine's own queries.
  const Contents& contents() const { return *m_contents; }

 private:
  std::shared_ptr<const Contents> m_contents;
};

}  // namespace heapscape::engine
