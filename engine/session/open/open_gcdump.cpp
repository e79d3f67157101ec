// SPDX-License-Identifier: MIT
#include "session/open/open_gcdump.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/figures.h"
#include "base/progress.h"
#include "heap/object_walk.h"
#include "layout/code_owners.h"
#include "metadata/names/generated_names.h"
#include "runtime/contract/contract.h"
#include "session/open/memory_need.h"
#include "session/roots/roots_query.h"
#include "session/snapshot/recorded_heap.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kNoRecordedObject = ObjectId::kNone;

// Objects further apart than this are of two ranges: the index takes memory for what lies between them.
constexpr std::uint64_t kWidestGapInRange = 64 << 10;
constexpr std::uint64_t kIndexBytesPerWord = 12;  // of memory, for ObjectIndex::kBytesPerWord of the heap

// What follows the name of a type of large objects, by which dotnet-gcdump and PerfView tell them from smaller ones:
// "System.Byte[] (Bytes > 10K)" (DotNetHeapDumpGraphReader.GetObjectSizeSuffix).
constexpr std::string_view kSuffixOfLarge = " (Bytes > ";

/// "System.Collections.Generic.Dictionary<System.String,System.Int32[]>" as types of a dump are spelled: a blank behind
/// a comma, and no suffix for large ones. Whoever made the file has replaced all square brackets by angle ones, and
/// then "<>" by "[]", in ranks of arrays and in names of the compiler's as well: "System.Int32<,>", "[]c".
std::string spelledAsInDump(std::string_view name) {
  if (const std::size_t suffix = name.find(kSuffixOfLarge); suffix != std::string_view::npos && name.ends_with(')'))
    name = name.substr(0, suffix);
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const std::size_t rankEnd = name[i] == '<' ? name.find_first_not_of(',', i + 1) : std::string_view::npos;
    if (rankEnd != std::string_view::npos && rankEnd > i + 1 && name[rankEnd] == '>') {
      text += '[' + std::string(name.substr(i + 1, rankEnd - i - 1)) + ']';
      i = rankEnd;
      continue;
    }
    if (name.substr(i, 2) == "[]" && i + 2 < name.size() && std::islower(static_cast<unsigned char>(name[i + 2]))) {
      text += "<>";
      ++i;
      continue;
    }
    text += name[i];
    if (name[i] == ',' && i + 1 < name.size() && name[i + 1] != ' ') text += ' ';
  }
  return text;
}

/// "shop.dll" of "/app/shop.dll" and "C:\app\shop.dll"; empty for a module that has no name, "Module(0x7f…)".
std::string moduleFileName(const std::string& module) {
  if (module.starts_with("Module(0x")) return {};
  return module.substr(module.find_last_of("/\\") + 1);
}

/// What a node above the objects says of the roots below it.
struct RootNodeKind {
  std::string_view name;
  RootKind kind;
  std::array<std::string_view, 2> groups;  // of them, as those of a dump are called; the second may be empty
};
constexpr std::array kRootNodeKinds{
    RootNodeKind{"[static vars]", RootKind::Static, {"Statics", ""}},
    RootNodeKind{"[thread static vars]", RootKind::ThreadStatic, {"Thread statics", ""}},
    RootNodeKind{"[local vars]", RootKind::Stack, {"Stacks", ""}},
    RootNodeKind{"[strong Handles]", RootKind::StrongHandle, {"Handles", "strong handles"}},
    RootNodeKind{"[pinning Handles]", RootKind::PinnedHandle, {"Handles", "pinned handles"}},
    RootNodeKind{"[COM/WinRT Objects]", RootKind::RefCountedHandle, {"Handles", "reference-counted handles"}},
    RootNodeKind{"[Dependent Handles]", RootKind::DependentHandle, {"Handles", "dependent handles"}},
    RootNodeKind{"[finalizer Handles]", RootKind::FinalizerReady, {"Ready to be finalized", ""}},
};
constexpr std::string_view kNodeOfOtherRoots = "[other roots]";  // above several kinds
constexpr std::string_view kNodeOfStatic = "[static var ";       // then the type, a dot and the field

/// Type and field of "Zoo.P.<Zoo.IOrders.All>k__BackingField". Names of types have dots in angle brackets, too. The
/// type is that of what the field holds in files of dotnet-gcdump, and the one that declares it in others.
std::pair<std::string_view, std::string_view> typeAndField(std::string_view qualified) {
  std::size_t depth = 0;
  for (std::size_t i = qualified.size(); i-- > 0;) {
    if (qualified[i] == '>') ++depth;
    if (qualified[i] == '<' && depth > 0) --depth;
    if (qualified[i] == '.' && depth == 0) return {qualified.substr(0, i), qualified.substr(i + 1)};
  }
  return {{}, qualified};
}

class GcDumpHeap {
 public:
  GcDumpHeap(Contents& contents, const GcDump& dump, const std::stop_token& stop)
      : m_contents(contents), m_dump(dump), m_graph(dump.graph), m_stop(stop), m_objectOf(m_graph.nodeCount()) {}

  Outcome<void> make() {
    HEAPSCAPE_CHECK(sortObjects());
    HEAPSCAPE_CHECK(makeSegments());
    addTypes();
    HEAPSCAPE_CHECK(addObjects());
    HEAPSCAPE_CHECK(addReferences());
    HEAPSCAPE_CHECK(addRoots());
    noteSample();
    finish();
    return {};
  }

 private:
  static tl::unexpected<Unfinished> unfinished(Error error) { return tl::unexpected(Unfinished(std::move(error))); }
  bool isStopped(std::uint32_t step) const { return step % kStopInterval == 0 && m_stop.stop_requested(); }

  bool isUndefined(std::uint32_t node) const {
    return m_graph.sizeOf[node] == 0 && m_graph.types[m_graph.typeOf[node]].name == NodeGraph::kUndefined;
  }
  std::uint64_t alignedBytesOf(std::uint32_t node) const { return alignUp(std::uint64_t{m_graph.sizeOf[node]}, 8); }

  Outcome<void> sortObjects() {
    for (std::uint32_t node = 0; node < m_graph.nodeCount(); ++node) {
      if (isStopped(node)) return tl::unexpected(Unfinished::cancelled());
      m_objectOf[node] = kNoRecordedObject;
      const std::uint64_t address = m_graph.addressOf[node];
      if (address == 0) continue;
      if (isUndefined(node)) {
        ++m_undefined;
      } else if (address % 8 != 0 && !m_graph.is64Bit) {
        return unfinished({ErrorCode::UnsupportedRuntime,
                           "This .gcdump file is of a 32-bit process, of which the heap cannot be shown.", ""});
      } else if (address % 8 != 0 || isStandIn(Address{address}) || m_graph.sizeOf[node] == 0) {
        ++m_misplaced;
      } else {
        m_nodes.push_back(node);
      }
    }
    std::ranges::sort(m_nodes, {}, [&](std::uint32_t node) { return m_graph.addressOf[node]; });
    const auto same = std::ranges::unique(m_nodes, {}, [&](std::uint32_t node) { return m_graph.addressOf[node]; });
    m_misplaced += static_cast<std::uint32_t>(same.size());
    m_nodes.erase(same.begin(), same.end());
    for (std::uint32_t i = 0; i < m_nodes.size(); ++i) m_objectOf[m_nodes[i]] = i;
    HEAPSCAPE_CHECK(checkObjectLimit(m_nodes.size()));
    return {};
  }

  Outcome<void> makeSegments() {
    auto segments = std::make_shared<std::vector<Segment>>();
    std::uint64_t indexed = 0;
    for (const std::uint32_t node : m_nodes) {
      const Address start{m_graph.addressOf[node]};
      const Address end = start + alignedBytesOf(node);
      if (segments->empty() || start > segments->back().objects.end + kWidestGapInRange) {
        if (!segments->empty()) indexed += segments->back().objects.sizeBytes() + ObjectIndex::kBytesPerWord;
        segments->emplace_back().objects = {start, end};
      }
      AddressRange& range = segments->back().objects;
      range.end = std::max(range.end, end);
    }
    for (Segment& segment : *segments) {
      segment.kind = SegmentKind::Gen2;
      segment.committedEnd = segment.reservedEnd = segment.objects.end;
      segment.generations = {{Generation::Gen2, segment.objects}};
    }
    if (!segments->empty()) indexed += segments->back().objects.sizeBytes();
    const MemoryNeed need{.of = "The objects of this .gcdump file",
                          .objects = m_nodes.size(),
                          .bytes = indexed / ObjectIndex::kBytesPerWord * kIndexBytesPerWord,
                          .help = ""};
    HEAPSCAPE_CHECK(checkMemory(need, std::nullopt));
    m_segments = std::move(segments);
    return {};
  }

  /// The types of objects, those of one name and module as one: large objects are of types of their own in the file.
  void addTypes() {
    std::map<std::pair<std::string, std::string>, std::uint32_t> known;
    m_typeOf.assign(m_graph.types.size(), TypeId::kNone);
    for (const std::uint32_t node : m_nodes) {
      std::uint32_t& type = m_typeOf[m_graph.typeOf[node]];
      if (type != TypeId::kNone) continue;
      const NodeType& from = m_graph.types[m_graph.typeOf[node]];
      std::pair key{spelledAsInDump(from.name), moduleFileName(from.module)};
      const auto [found, isNew] = known.try_emplace(std::move(key), static_cast<std::uint32_t>(m_types->size()));
      type = found->second;
      if (!isNew) continue;
      TypeRow& row = m_types->emplace_back();
      row.name = found->first.first;
      row.assembly = found->first.second;
      row.methodTable = standInFor({type});
    }
  }

  Outcome<void> addObjects() {
    const auto objects = static_cast<std::uint32_t>(m_nodes.size());
    auto recorded = std::make_shared<RecordedObjects>();
    recorded->types = LargeArray<std::uint32_t>(objects);
    recorded->sizes = LargeArray<std::uint32_t>(objects);
    ObjectIndex index(*m_segments);
    m_heap.emplace(WalkedHeap{ObjectIndex({}), {}, TypeCounts(m_types->size()), {}, {}, {}, {}});
    m_heap->segments.resize(m_segments->size());
    constexpr auto kPlace = static_cast<std::size_t>(Generation::Gen2);
    for (std::uint32_t object = 0, segment = 0; object < objects; ++object) {
      if (isStopped(object)) return tl::unexpected(Unfinished::cancelled());
      const std::uint32_t node = m_nodes[object];
      const Address address{m_graph.addressOf[node]};
      while (address >= (*m_segments)[segment].objects.end) ++segment;
      const std::uint64_t place = (address - (*m_segments)[segment].objects.start) / 8;
      index.wordsOf({segment})[place / 64] |= 1ull << place % 64;
      const std::uint32_t type = m_typeOf[m_graph.typeOf[node]];
      recorded->types[object] = type;
      recorded->sizes[object] = m_graph.sizeOf[node];
      m_cutSizes += m_graph.sizeOf[node] == NodeGraph::kMostBytes;
      const std::uint64_t bytes = alignedBytesOf(node);
      ++m_heap->counts.count[type];
      m_heap->counts.bytes[type] += bytes;
      ++m_heap->counts.generationCount[type][kPlace];
      m_heap->counts.generationBytes[type][kPlace] += bytes;
      m_heap->segments[segment].totals += {.objects = 1, .bytes = bytes};
    }
    index.finish();
    index.setRecorded(std::move(recorded));
    m_heap->index = std::move(index);
    for (std::uint32_t i = 0; i < m_types->size(); ++i) m_heap->types.insert(standInFor({i}), {});
    GenerationRow all;
    all.generation = Generation::Gen2;
    for (const SegmentContents& contents : m_heap->segments) all.totals += contents.totals;
    for (const Segment& segment : *m_segments) all.wholeBytes += segment.objects.sizeBytes();
    m_heap->generations.push_back(all);
    return {};
  }

  /// What leads to an object of the graph; everything else is counted and left out.
  std::uint32_t targetOf(std::uint32_t node) {
    const std::uint32_t object = m_objectOf[node];
    m_lostReferences += object == kNoRecordedObject;
    return object;
  }

  Outcome<void> addReferences() {
    const auto objects = static_cast<std::uint32_t>(m_nodes.size());
    auto graph = std::make_shared<ReferenceGraph>();
    graph->rows = StoredRows(objects);
    graph->units = ObjectUnits(objects);
    std::vector<std::uint32_t> targets;
    std::vector<LongRow> longRows;
    std::vector<ObjectUnits::LargeObject> largeObjects;
    StoredRows::Writer writer(graph->rows, 0);
    for (std::uint32_t object = 0; object < objects; ++object) {
      if (isStopped(object)) return tl::unexpected(Unfinished::cancelled());
      const std::uint32_t node = m_nodes[object];
      const auto before = static_cast<std::uint32_t>(targets.size());
      for (const std::uint32_t child : m_graph.childrenOf(node))
        if (const std::uint32_t target = targetOf(child); target != kNoRecordedObject) targets.push_back(target);
      const auto edges = static_cast<std::uint32_t>(targets.size()) - before;
      writer.add(edges, before);
      if (edges >= RowLine::kMany) longRows.push_back({object, edges});
      const auto units = static_cast<std::uint32_t>(alignedBytesOf(node) / 8);
      if (!graph->units.set(object, units)) largeObjects.push_back({object, units});
    }
    graph->rows.finish(longRows, static_cast<std::uint32_t>(targets.size()));
    graph->units.setLarge(largeObjects);
    graph->targets = LargeArray<std::uint32_t>(targets.size());
    std::ranges::copy(targets, graph->targets.data());
    m_recorded.graph = std::move(graph);
    return {};
  }

  std::uint32_t groupOf(std::uint32_t parent, std::string_view name) {
    const auto [known, isNew] =
        m_groups.try_emplace({parent, std::string(name)}, static_cast<std::uint32_t>(m_recorded.roots.groups.size()));
    if (isNew) m_recorded.roots.groups.push_back({std::string(name), parent, {}});
    return known->second;
  }

  /// A node above the objects that is to be looked at.
  struct OpenNode {
    std::uint32_t node = 0;
    std::uint32_t group = RootGroup::kNone;  // of the roots below it
    RootKind kind = RootKind::Other;
    std::string name = {};  // of these roots
  };

  OpenNode openedBelow(const OpenNode& above, std::uint32_t node) {
    const std::string& name = m_graph.types[m_graph.typeOf[node]].name;
    OpenNode below{node, above.group, above.kind, above.name};
    if (name == kNodeOfOtherRoots) return below;
    if (name.starts_with(kNodeOfStatic)) {
      const bool isOfThread = above.kind == RootKind::ThreadStatic;
      const std::size_t length = name.size() - kNodeOfStatic.size() - (name.ends_with(']') ? 1 : 0);
      const auto [type, field] = typeAndField(std::string_view(name).substr(kNodeOfStatic.size(), length));
      const std::string typeName = spelledAsInDump(type);
      below.kind = isOfThread ? RootKind::ThreadStatic : RootKind::Static;
      below.name = fmt::format("{}static {}", isOfThread ? "thread: " : "", csharpFieldName(field));
      below.name += typeName.empty() ? std::string() : fmt::format(" ({})", typeName);
      below.group = groupOf(RootGroup::kNone, isOfThread ? "Thread statics" : "Statics");
      return below;
    }
    const auto* known = std::ranges::find(kRootNodeKinds, name, &RootNodeKind::name);
    if (known != kRootNodeKinds.end()) {
      below.kind = known->kind;
      below.name = nameOfRoot(known->kind);
      below.group = groupOf(RootGroup::kNone, known->groups[0]);
      if (!known->groups[1].empty()) below.group = groupOf(below.group, known->groups[1]);
      return below;
    }
    const bool hasBrackets = name.size() > 2 && name.starts_with('[') && name.ends_with(']');
    const std::string words = hasBrackets ? name.substr(1, name.size() - 2) : name;
    below.group = groupOf(above.group, words);
    below.name = words;
    return below;
  }

  /// Roots are what the nodes above the objects refer to. Each of those is looked at once.
  Outcome<void> addRoots() {
    std::vector<bool> isMet(m_graph.nodeCount());
    std::vector<OpenNode> open{{.node = m_graph.root, .name = "root"}};
    isMet[m_graph.root] = true;
    std::uint32_t steps = 0;
    while (!open.empty()) {
      const OpenNode above = std::move(open.back());
      open.pop_back();
      for (const std::uint32_t child : m_graph.childrenOf(above.node)) {
        if (isStopped(++steps)) return tl::unexpected(Unfinished::cancelled());
        const bool isAbove = m_graph.addressOf[child] == 0 && !isUndefined(child);
        if (isAbove && !isMet[child]) {
          isMet[child] = true;
          open.push_back(openedBelow(above, child));
        }
        if (isAbove || (m_graph.addressOf[child] == 0 && isUndefined(child))) continue;
        if (targetOf(child) == kNoRecordedObject) continue;
        const std::uint32_t group =
            above.group == RootGroup::kNone ? groupOf(RootGroup::kNone, "Other roots") : above.group;
        m_recorded.roots.roots.push_back({above.kind, {}, Address{m_graph.addressOf[child]}, above.name, true, group});
      }
    }
    std::ranges::stable_sort(m_recorded.roots.roots, {}, &RootRow::kind);
    dropEmptyGroups();
    return {};
  }

  void dropEmptyGroups() {
    std::vector<RootGroup>& groups = m_recorded.roots.groups;
    std::vector<std::uint32_t> numbers(groups.size());  // 1 for those that stay, then their new numbers
    for (const RootRow& root : m_recorded.roots.roots)
      for (std::uint32_t group = root.group; group != RootGroup::kNone && !numbers[group]; group = groups[group].parent)
        numbers[group] = 1;
    std::vector<RootGroup> kept;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (!numbers[i]) continue;
      numbers[i] = static_cast<std::uint32_t>(kept.size());
      RootGroup& group = kept.emplace_back(std::move(groups[i]));
      if (group.parent != RootGroup::kNone)
        group.parent = numbers[group.parent];  // parents stand before their children
    }
    groups = std::move(kept);
    for (RootRow& root : m_recorded.roots.roots) root.group = numbers[root.group];
  }

  void noteSample() {
    const GcDumpFacts& facts = m_dump.facts;
    FindingList& findings = m_contents.findings;
    if (facts.countMultiplier != 1 || facts.sizeMultiplier != 1) {
      findings.add(FindingKind::MemoryMissing, {},
                   fmt::format("This file holds a sample of the heap: about one object of {:.1f}, with one byte of "
                               "{:.1f}. All figures are those of the sample.",
                               facts.countMultiplier, facts.sizeMultiplier));
    }
    if (m_undefined > 0) {
      findings.add(FindingKind::MemoryMissing, {},
                   fmt::format("This file does not tell of {} that {} lead to.", countOf(m_undefined, "object"),
                               countOf(m_lostReferences, "reference")));
    }
    if (m_misplaced > 0) {
      findings.add(FindingKind::HeapDamaged, {},
                   fmt::format("This file has {} without a size, or where none can lie; what is there is left out.",
                               countOf(m_misplaced, "object")));
    }
    if (m_cutSizes > 0) {
      findings.add(
          FindingKind::MemoryMissing, {},
          fmt::format("{} larger than this file can tell: each counts as 2 GB.", countOf(m_cutSizes, "object")));
    }
  }

  void finish() {
    m_recorded.facts = m_dump.facts;
    std::vector<AssemblyOrigin> assemblies;
    std::map<std::string, bool> isListed;
    for (const TypeRow& type : *m_types) {
      if (type.assembly.empty() || !isListed.emplace(type.assembly, true).second) continue;
      assemblies.push_back({.name = type.assembly, .company = {}});
    }
    m_contents.owners = std::make_shared<const CodeOwners>(assemblies, namedCode());
    m_contents.segments = std::move(m_segments);
    m_contents.types = std::move(m_types);
    m_contents.heap = std::make_shared<const WalkedHeap>(std::move(*m_heap));
    std::vector<bool> isArray;
    for (const TypeRow& type : *m_contents.types) isArray.push_back(type.name.ends_with(']'));
    m_contents.typeReferences = std::make_shared<const TypeReferences>(
        std::move(isArray), RecordedReferences{m_contents.heap->index, m_recorded.graph->edges()});
    m_contents.dependents = std::make_shared<const DependentEdges>();
    m_contents.recorded = std::make_shared<const RecordedHeap>(std::move(m_recorded));
  }

  Contents& m_contents;
  const GcDump& m_dump;
  const NodeGraph& m_graph;
  const std::stop_token& m_stop;
  LargeArray<std::uint32_t> m_objectOf;  // by node: ObjectId
  std::vector<std::uint32_t> m_nodes;    // by ObjectId
  std::vector<std::uint32_t> m_typeOf;   // by type of the file: TypeId
  std::shared_ptr<const std::vector<Segment>> m_segments;
  std::shared_ptr<std::vector<TypeRow>> m_types = std::make_shared<std::vector<TypeRow>>();
  std::optional<WalkedHeap> m_heap;
  RecordedHeap m_recorded;
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> m_groups;  // by parent and name
  std::uint32_t m_undefined = 0;
  std::uint32_t m_misplaced = 0;
  std::uint64_t m_lostReferences = 0;
  std::uint64_t m_cutSizes = 0;
};

/// A runtime of which nothing can be read: whatever asks it is told so.
std::shared_ptr<const RuntimeReaders> readersOfNothing(const std::shared_ptr<const AddressSpace>& memory) {
  FindingList nothingFound;
  SelectedContract contract{.contract = Contract::shipped().back(), .table = {}};
  return std::make_shared<const RuntimeReaders>(ClrRuntime(memory, {}, std::move(contract)), std::vector<MappedFile>(),
                                                nothingFound);
}

void summariseGcDump(Contents& contents, const GcDumpFacts& facts) {
  DumpSummary& dump = contents.summary.dump;
  dump.path = contents.file->path().string();
  dump.kind = DumpKind::GcDump;
  dump.pid = facts.pid;
  dump.command = facts.process;
  dump.fileBytes = contents.file->bytes().size();
  dump.isCompressed = contents.file->isCompressed();
  const Error rest = notRecorded("contents, layouts, segments, threads, stacks and modules");
  contents.summary.missing.push_back({rest.what, rest.help});
}

}  // namespace

Outcome<void> takeGcDump(Contents& contents, const GcDump& dump, const std::stop_token& stop) {
  ElfCore nothing;
  nothing.fileBytes = contents.file->bytes().size();
  contents.core = std::make_shared<const ElfCore>(std::move(nothing));
  contents.memory = std::make_shared<const AddressSpace>(contents.file, *contents.core);
  contents.readers = readersOfNothing(contents.memory);
  contents.gc = std::make_shared<const GcState>();
  if (!contents.file->damage().empty()) contents.findings.add(FindingKind::DumpTruncated, {}, contents.file->damage());
  summariseGcDump(contents, dump.facts);
  return GcDumpHeap(contents, dump, stop).make();
}

}  // namespace heapscape::engine
