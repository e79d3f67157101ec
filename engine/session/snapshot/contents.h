// SPDX-License-Identifier: MIT
#pragma once

#include <tbb/task_arena.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "graph/dominators/dominator_tree.h"
#include "graph/object_references.h"
#include "graph/reference_graph.h"
#include "graph/retained/reached_ranges.h"
#include "graph/retained/retained_by_type.h"
#include "graph/retained/retained_sizes.h"
#include "graph/reverse_references.h"
#include "heap/object_types.h"
#include "heap/object_walk.h"
#include "layout/actual_layout.h"
#include "layout/code_owners.h"
#include "layout/instance_padding.h"
#include "memory/address_space.h"
#include "memory/dump_file.h"
#include "memory/elf/elf_core.h"
#include "runtime/gc/gc_state.h"
#include "runtime/runtime_readers.h"
#include "session/snapshot/recorded_heap.h"
#include "session/snapshot/root_list.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

class CacheFile;
class DominatorBrowsing;
struct PathIndex;
class DeclaredLayouts;
struct LayoutsByRules;
struct HeapParts;
class CachedAnswers;
struct CrashCause;
struct LockList;
struct StackList;

/// Something large that is made once, when it is first asked for. Several threads may ask; a making that was cancelled
/// or failed is tried again by the next who asks.
template <class T>
class OnDemand {
 public:
  /// `make()` gives an Outcome<T>.
  template <class Make>
  Outcome<std::shared_ptr<const T>> get(const Make& make) const {
    const std::lock_guard lock(m_mutex);
    if (!m_value) {
      // While it waits for other cores it takes on no other work, which might ask for this very thing.
      HEAPSCAPE_TRY(T made, tbb::this_task_arena::isolate([&] { return make(); }));
      m_value = std::make_shared<const T>(std::move(made));
    }
    return m_value;
  }
  /// Null before it was made.
  std::shared_ptr<const T> made() const {
    const std::lock_guard lock(m_mutex);
    return m_value;
  }

 private:
  mutable std::mutex m_mutex;
  mutable std::shared_ptr<const T> m_value;
};

/// Dominators and retained sizes for a choice of roots. In the tree's forest the groups come first, then the roots,
/// both by their index in the list. Of garbage there are no roots, but tops.
struct Retention {
  RootOptions options;
  RootList roots;
  DominatorTree tree;
  RetainedSizes sizes;
  std::vector<RetainedOfType> types;  // by TypeId; empty if not asked for
  RetainedTotals totals;
  std::vector<RetainedTotals> generations;  // by their row, see Snapshot::generationReach()
  std::vector<RetainedTotals> segments;     // by SegmentId
  std::vector<ObjectRange> frozen;          // objects of frozen segments
  std::unordered_map<std::uint32_t, ReachableTotals> unreachableFrozen;  // of these, by TypeId
  std::shared_ptr<const CacheFile> file;                                 // what tree and sizes lie in if they were kept
  std::shared_ptr<const OnDemand<PathIndex>> paths = std::make_shared<OnDemand<PathIndex>>();
  std::shared_ptr<DominatorBrowsing> browsing;  // what is made of the tree for who looks through it
  bool isOfGarbage = false;                     // see session/open/garbage_tree.h
  std::vector<std::uint32_t> tops = {};         // ObjectIds, ascending: what stands for roots in garbage
  std::shared_ptr<const OnDemand<Snapshot>> garbage = std::make_shared<OnDemand<Snapshot>>();  // seen from there

  /// Name of the whole, number 0 in the tree.
  const char* wholeName() const { return isOfGarbage ? "garbage" : "all roots"; }
  /// Whether an object, which is no free one, waits to be collected. Frozen objects never are, whoever refers to them.
  bool isGarbage(std::uint32_t object) const { return tree.numberOf(object) == 0 && !isIn(frozen, object); }
  /// Bytes of memory of the tree and the sizes.
  std::uint64_t memoryBytes() const {
    return tree.memoryBytes() + sizes.bytes.memoryBytes() + sizes.objects.memoryBytes();
  }
  std::uint32_t numberOfGroup(std::uint32_t group) const { return tree.numberOf(tree.vertexOfRoot(group)); }
  std::uint32_t numberOfRoot(std::uint32_t root) const {
    return tree.numberOf(tree.vertexOfRoot(static_cast<std::uint32_t>(roots.groups.size()) + root));
  }
  /// Whether a vertex that is none of the objects is a group of roots.
  bool isGroup(std::uint32_t vertex) const { return vertex - tree.objectCount() < roots.groups.size(); }
  std::uint32_t groupOf(std::uint32_t vertex) const { return vertex - tree.objectCount(); }
  std::uint32_t rootOf(std::uint32_t vertex) const {
    return vertex - tree.objectCount() - static_cast<std::uint32_t>(roots.groups.size());
  }
};

/// Contents of a Snapshot. Each stage makes a new one that shares the parts of the stage before.
struct Contents {
  Stage stage = Stage::Summary;
  std::shared_ptr<const DumpFile> file;
  std::shared_ptr<const ElfCore> core;
  std::shared_ptr<const AddressSpace> memory;
  std::shared_ptr<const RuntimeReaders> readers;

  Summary summary;
  FindingList findings;
  std::vector<StageTiming> timings;

  std::shared_ptr<const GcState> gc;
  std::shared_ptr<const std::vector<Segment>> segments = std::make_shared<std::vector<Segment>>();
  std::shared_ptr<const std::vector<ModuleRow>> modules = std::make_shared<std::vector<ModuleRow>>();
  std::shared_ptr<const CodeOwners> owners = std::make_shared<CodeOwners>();
  std::shared_ptr<const WalkedHeap> heap;  // null before the Objects stage
  std::shared_ptr<const std::vector<TypeRow>> types = std::make_shared<std::vector<TypeRow>>();
  std::shared_ptr<const std::vector<PaddingPerInstance>> paddings = std::make_shared<std::vector<PaddingPerInstance>>();
  std::shared_ptr<const std::vector<std::uint64_t>> typePaddingBytes = std::make_shared<std::vector<std::uint64_t>>();

  // Null before the References stage.
  std::shared_ptr<const TypeReferences> typeReferences;
  std::shared_ptr<const DependentEdges> dependents;
  std::shared_ptr<const ReferenceGraph> graph;
  std::shared_ptr<const OnDemand<ReverseReferences>> reverse;

  std::shared_ptr<const Retention> retention;  // null before the Retained stage

  std::shared_ptr<const RecordedHeap> recorded;  // null for a dump, whose memory is read

  std::optional<std::uint64_t> memoryBytes;     // that what is computed may take at the peak; nothing for what is free
  std::shared_ptr<const CachedAnswers> cached;  // of these roots; null if nothing is to be kept

  std::shared_ptr<const OnDemand<CrashCause>> crashCause = std::make_shared<OnDemand<CrashCause>>();

  // Types of this stage's heap.
  std::shared_ptr<const OnDemand<ObjectTypes>> objectTypes = std::make_shared<OnDemand<ObjectTypes>>();
  std::shared_ptr<const OnDemand<LockList>> locks = std::make_shared<OnDemand<LockList>>();
  std::shared_ptr<const OnDemand<StackList>> stacks = std::make_shared<OnDemand<StackList>>();
  std::shared_ptr<const OnDemand<StackList>> stacksInWords = std::make_shared<OnDemand<StackList>>();
  std::shared_ptr<const OnDemand<DeclaredLayouts>> declaredLayouts = std::make_shared<OnDemand<DeclaredLayouts>>();
  std::shared_ptr<const OnDemand<LayoutsByRules>> layoutsByRules = std::make_shared<OnDemand<LayoutsByRules>>();
  std::shared_ptr<const OnDemand<HeapParts>> heapParts = std::make_shared<OnDemand<HeapParts>>();

  /// From the Objects stage on: read for the first who asks, unless they were met on the way through all references.
  std::shared_ptr<const ObjectTypes> typesOfObjects() const {
    return *objectTypes->get([&]() -> Outcome<ObjectTypes> { return ObjectTypes(*memory, *segments, *heap); });
  }
  /// Whose code a type is; free objects are .NET's.
  CodeOwner ownerOf(const TypeRow& type) const {
    return type.isFree ? CodeOwner::Framework : owners->of(type.assembly, type.name);
  }
  LayoutSources layoutSources() const {
    return {readers->methodTables, readers->modules, readers->fields, readers->resolver, readers->names};
  }
  /// From the References stage on.
  ReferenceSources referenceSources() const { return {*memory, *segments, *heap, *typeReferences, *dependents}; }
};

}  // namespace heapscape::engine
