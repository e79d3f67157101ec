// SPDX-License-Identifier: MIT
#include "support/builders/heap_in_memory.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "graph/retained/retained_by_type.h"
#include "session/dominators/dominator_nodes.h"
#include "session/open/reached_parts.h"
#include "session/snapshot/contents.h"
#include "support/builders/core_builder.h"
#include "support/builders/reference_graph.h"
#include "support/builders/runtime_in_memory.h"

namespace heapscape::test {

using namespace engine;

namespace {

constexpr std::uint64_t kFirstSegment = 0x7e0000000000;
constexpr std::uint64_t kSegmentDistance = 1 << 24;
constexpr std::uint64_t kBesideTheHeap = 0x10000;
constexpr std::uint64_t kFirstMethodTable = 0x7d0000001000;
constexpr std::uint64_t kMethodTableDistance = 0x100;

RootForest forestOf(const RootList& list, const ObjectIndex& index) {
  RootForest forest;
  for (const RootGroup& group : list.groups) forest.addGroup(group.parent);
  for (const RootRow& root : list.roots) forest.addRoot(root.group, index.idOf(root.object).value);
  return forest;
}

void count(TypeCounts& counts, std::uint32_t type, std::uint64_t bytes, std::uint32_t components,
           Generation generation) {
  ++counts.count[type];
  counts.bytes[type] += bytes;
  counts.components[type] += components;
  counts.generationBytes[type][static_cast<std::size_t>(generation)] += bytes;
  ++counts.generationCount[type][static_cast<std::size_t>(generation)];
}

}  // namespace

HeapInMemory::HeapInMemory() {
  startSegment(Generation::Gen2);
}

TypeId HeapInMemory::addType(std::string name, std::uint32_t baseBytes, std::uint32_t componentBytes,
                             std::string assembly) {
  const Address methodTable{kFirstMethodTable + m_types.size() * kMethodTableDistance};
  m_types.push_back({.name = std::move(name),
                     .assembly = std::move(assembly),
                     .methodTable = methodTable,
                     .baseSize = baseBytes,
                     .componentSize = componentBytes});
  return {static_cast<std::uint32_t>(m_types.size() - 1)};
}

TypeId HeapInMemory::addFreeType() {
  const TypeId type = addType("Free", 24, 1, "");
  m_types.back().isFree = true;
  return type;
}

void HeapInMemory::startSegment(Generation generation, std::uint32_t heap) {
  const Address start{kFirstSegment + m_segments.size() * kSegmentDistance};
  Segment segment;
  segment.kind = generation == Generation::Frozen ? SegmentKind::Frozen : SegmentKind::Gen2;
  segment.heap = heap;
  segment.objects = {start, start};
  segment.generations = {{generation, segment.objects}};
  m_segments.push_back(segment);
}

std::uint32_t HeapInMemory::addObject(TypeId type, std::uint32_t components) {
  Segment& segment = m_segments.back();
  const TypeRow& row = m_types[type.value];
  const std::uint64_t bytes = alignUp(objectSize(row.baseSize, row.componentSize, components), 8);
  m_objects.push_back(
      {segment.objects.end, type, components, static_cast<std::uint32_t>(m_segments.size() - 1), bytes});
  m_references.emplace_back();
  segment.objects.end += bytes;
  segment.generations.front().range = segment.objects;
  return static_cast<std::uint32_t>(m_objects.size() - 1);
}

std::uint32_t HeapInMemory::addGroup(std::string name, std::uint32_t parent) {
  m_roots.groups.push_back({std::move(name), parent, {}});
  return static_cast<std::uint32_t>(m_roots.groups.size() - 1);
}

void HeapInMemory::addRoot(RootKind kind, std::uint32_t object, std::string name, std::uint32_t group, bool isExact) {
  m_roots.roots.push_back({kind, {}, addressOf(object), std::move(name), isExact, group});
}

WalkedHeap HeapInMemory::walked() const {
  TypeIndex types;
  for (const TypeRow& row : m_types)
    types.insert(row.methodTable, {row.baseSize, row.componentSize, row.isFree, row.isFree});
  WalkedHeap heap{ObjectIndex(m_segments), std::move(types), TypeCounts(m_types.size()), {}, {}, {}, {}};
  heap.segments.resize(m_segments.size());
  for (const Object& object : m_objects) {
    const Segment& segment = m_segments[object.segment];
    const TypeRow& row = m_types[object.type.value];
    const std::uint64_t offset = object.address - segment.objects.start;
    heap.index.wordsOf({object.segment})[offset / ObjectIndex::kBytesPerWord] |= 1ull << (offset / 8 % 64);
    if (row.isFree) heap.freeType = object.type;
    count(heap.counts, object.type.value, object.bytes, object.components, segment.generations.front().generation);
    heap.segments[object.segment].totals += {1, object.bytes, row.isFree ? 1u : 0u, row.isFree ? object.bytes : 0};
  }
  heap.index.finish();
  for (std::size_t i = 0; i < m_segments.size(); ++i) {
    const Segment& segment = m_segments[i];
    const Generation generation = segment.generations.front().generation;
    auto row = std::ranges::find_if(heap.generations, [&](const GenerationRow& known) {
      return known.generation == generation && known.heap == segment.heap;
    });
    if (row == heap.generations.end()) row = heap.generations.insert(row, {generation, segment.heap, {}, 0, 0});
    row->totals += heap.segments[i].totals;
    row->wholeBytes += segment.objects.sizeBytes();
  }
  return heap;
}

ClrRuntime HeapInMemory::runtime() const {
  std::vector<FileBytes> memory;
  for (const Segment& segment : m_segments) memory.emplace_back(segment.objects.sizeBytes());
  for (const Object& object : m_objects) {
    const TypeRow& row = m_types[object.type.value];
    std::byte* head = memory[object.segment].data() + (object.address - m_segments[object.segment].objects.start);
    std::memcpy(head, &row.methodTable, sizeof row.methodTable);
    if (row.componentSize) std::memcpy(head + kComponentsOffset, &object.components, sizeof object.components);
  }
  CoreBuilder core;
  core.memory(kBesideTheHeap, FileBytes(8));  // an empty heap is in a dump all the same
  for (std::size_t i = 0; i < m_segments.size(); ++i)
    if (!memory[i].empty()) core.memory(m_segments[i].objects.start.value, std::move(memory[i]));
  return runtimeInMemory(10, core);
}

Retention HeapInMemory::retention(const ReferenceGraph& graph, const WalkedHeap& heap) const {
  Retention retention;
  StageProgress progress(nullptr, "", 0, 1);
  ObjectTypes types(static_cast<std::uint32_t>(m_objects.size()), m_types.size());
  for (std::uint32_t i = 0; i < m_objects.size(); ++i) types.set(i, m_objects[i].type);
  retention.browsing = std::make_shared<DominatorBrowsing>();
  retention.roots = m_roots;
  retention.tree = *DominatorTree::build(graph.edges(), forestOf(m_roots, heap.index), progress, {});
  retention.sizes = addUpRetained(retention.tree, graph);
  retention.types = addUpRetainedByType(retention.tree, retention.sizes, graph, types, m_types.size());
  return retention;
}

Snapshot HeapInMemory::snapshot() const {
  auto contents = std::make_shared<Contents>();
  FindingList findings;  // of a runtime that is not there
  contents->stage = Stage::Retained;
  contents->readers = std::make_shared<RuntimeReaders>(runtime(), std::vector<MappedFile>(), findings);
  contents->memory = {contents->readers, &contents->readers->runtime.memory()};
  contents->segments = std::make_shared<std::vector<Segment>>(m_segments);
  contents->types = std::make_shared<std::vector<TypeRow>>(m_types);
  contents->modules = std::make_shared<std::vector<ModuleRow>>(m_modules);
  contents->heap = std::make_shared<WalkedHeap>(walked());
  ReferenceGraph graph = graphOf(m_references);
  std::vector<ObjectUnits::LargeObject> large;
  for (std::uint32_t i = 0; i < m_objects.size(); ++i) {
    if (m_types[m_objects[i].type.value].isFree) continue;
    const auto units = static_cast<std::uint32_t>(m_objects[i].bytes / 8);
    if (!graph.units.set(i, units)) large.push_back({i, units});
  }
  graph.units.setLarge(large);
  contents->graph = std::make_shared<ReferenceGraph>(std::move(graph));
  Retention reached = retention(*contents->graph, *contents->heap);
  addUpReachedParts(*contents, reached);
  contents->retention = std::make_shared<Retention>(std::move(reached));
  contents->reverse = std::make_shared<OnDemand<ReverseReferences>>();
  contents->typeReferences = std::make_shared<TypeReferences>(*contents->readers, *contents->heap);
  contents->dependents = std::make_shared<DependentEdges>();
  return Snapshot(std::move(contents));
}

}  // namespace heapscape::test
