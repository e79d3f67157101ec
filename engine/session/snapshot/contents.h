// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "graph/object_references.h"
#include "graph/reference_graph.h"
#include "heap/object_types.h"
#include "heap/object_walk.h"
#include "layout/actual_layout.h"
#include "memory/address_space.h"
#include "memory/dump_file.h"
#include "memory/elf/elf_core.h"
#include "runtime/gc/gc_state.h"
#include "runtime/runtime_readers.h"
#include "session/snapshot/on_demand.h"
#include "session/snapshot/retention.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

class DeclaredLayouts;
class CachedAnswers;
struct CrashCause;
struct LockList;
struct StackList;

/// What a Snapshot holds. Each stage makes a new one that shares the parts of the stage before.
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

  std::optional<std::uint64_t> memoryBytes;     // that what is computed may take at the peak; nothing for what is free
  std::shared_ptr<const CachedAnswers> cached;  // of these roots; null if nothing is to be kept

  std::shared_ptr<const OnDemand<CrashCause>> crashCause = std::make_shared<OnDemand<CrashCause>>();

  // Of this stage's heap.
  std::shared_ptr<const OnDemand<ObjectTypes>> objectTypes = std::make_shared<OnDemand<ObjectTypes>>();
  std::shared_ptr<const OnDemand<LockList>> locks = std::make_shared<OnDemand<LockList>>();
  std::shared_ptr<const OnDemand<StackList>> stacks = std::make_shared<OnDemand<StackList>>();
  std::shared_ptr<const OnDemand<StackList>> stacksInWords = std::make_shared<OnDemand<StackList>>();
  std::shared_ptr<const OnDemand<DeclaredLayouts>> declaredLayouts = std::make_shared<OnDemand<DeclaredLayouts>>();

  /// From the Objects stage on: read for the first who asks, unless they were met on the way through all references.
  std::shared_ptr<const ObjectTypes> typesOfObjects() const {
    return *objectTypes->get([&]() -> Outcome<ObjectTypes> { return ObjectTypes(*memory, *segments, *heap); });
  }
  LayoutSources layoutSources() const {
    return {readers->methodTables, readers->modules, readers->fields, readers->resolver, readers->names};
  }
  /// From the References stage on.
  ReferenceSources referenceSources() const { return {*memory, *segments, *heap, *typeReferences, *dependents}; }
};

}  // namespace heapscape::engine
