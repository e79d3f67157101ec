// SPDX-License-Identifier: MIT
#include "views/memory/memory_parts.h"

#include <algorithm>
#include <utility>

#include "base/palette.h"
#include "models/names/reach_text.h"
#include "tables/memory_table.h"
#include "widgets/drawing/colours.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {
namespace {

using engine::MemoryOwner;

// Calm tints for what is not the GC's, that are told from each other and from generations.
QColor tint(MemoryOwner owner, const Colours& colours) {
  switch (owner) {
    case MemoryOwner::LoaderHeap:
      return colours.in(engine::palette::kLoaderHeap);
    case MemoryOwner::JitCode:
      return colours.in(engine::palette::kJitCode);
    case MemoryOwner::ThreadStack:
      return colours.in(engine::palette::kThreadStack);
    case MemoryOwner::NativeHeap:
      return colours.in(engine::palette::kNativeMemory);
    case MemoryOwner::MappedFile:
      return colours.in(engine::palette::kMappedFile);
    default:
      return colours.in(engine::palette::kGcBookkeeping);
  }
}

QString addressesText(const engine::MemoryPart& part) {
  return part.mappings == 1
             ? u"1 mapping, at %1"_s.arg(addressText(part.address))
             : u"%1 mappings, the first at %2"_s.arg(countText(part.mappings), addressText(part.address));
}

QStringList factsOf(const engine::MemoryPart& part) {
  QStringList facts{u"%1 in the dump"_s.arg(bytesText(part.inDumpBytes)), addressesText(part)};
  if (!part.path.empty()) facts << fromEngine(part.path);
  return facts;
}

/// "10.5 MB live, 18.4 MB garbage", of one generation or of all; empty while it is not known.
QStringList reachFacts(const engine::Snapshot& snapshot, std::optional<engine::Generation> generation) {
  if (!snapshot.has(engine::Stage::Retained)) return {};
  const engine::RetainedTotals reach = reachOf(snapshot, generation);
  QStringList facts{u"%1 live, %2"_s.arg(bytesText(reach.reachableBytes), garbageText(reach))};
  if (const QString frozen = frozenText(reach); !frozen.isEmpty()) facts << frozen;
  return facts;
}

/// "gen0, 94.3% garbage": of the objects of a generation.
QString withGarbage(const engine::MemoryPart& part, const engine::Snapshot& snapshot) {
  const engine::RetainedTotals reach = reachOf(snapshot, generationOf(part));
  if (reach.garbageBytes() == 0) return memoryPartText(part);
  return u"%1, %2 garbage"_s.arg(memoryPartText(part), percentText(reach.garbageBytes(), part.bytes));
}

}  // namespace

engine::RetainedTotals reachOf(const engine::Snapshot& snapshot, std::optional<engine::Generation> generation) {
  if (!generation) return snapshot.retainedTotals();
  engine::RetainedTotals sum;
  for (std::size_t i = 0; i < snapshot.generationReach().size(); ++i)
    if (snapshot.generations()[i].generation == *generation) sum += snapshot.generationReach()[i];
  return sum;
}

bool isOfGc(MemoryOwner owner) {
  return owner <= MemoryOwner::GcBookkeeping;
}

bool isUnexplained(MemoryOwner owner) {
  return owner == MemoryOwner::NativeHeap || owner == MemoryOwner::Other;
}

std::optional<engine::Generation> generationOf(const engine::MemoryPart& part) {
  if (!isOfGc(part.owner)) return std::nullopt;
  for (const engine::Generation generation : engine::kGenerations) {
    if (part.name == engine::toString(generation)) return generation;
  }
  return std::nullopt;
}

QString memoryPartText(const engine::MemoryPart& part) {
  if (const auto generation = generationOf(part)) return generationText(*generation);
  return part.name.empty() ? memoryOwnerText(part.owner) : givenNameText(part.name);
}

ChipSample memorySample(MemoryOwner owner, std::optional<engine::Generation> generation, const Colours& colours) {
  switch (owner) {
    case MemoryOwner::GcUsed:
      return {.fill = colours.of(generation.value_or(engine::Generation::Gen2))};
    case MemoryOwner::GcFree:
      return {.fill = colours.freeSpaceBrush(), .line = QPen(colours.outline(), 1)};
    case MemoryOwner::GcCommittedUnused:
      return {.fill = colours.surface(), .line = QPen(colours.outline(), 1)};
    case MemoryOwner::Other:
      return {.fill = colours.surface(), .line = QPen(colours.outline(), 1, Qt::DashLine)};
    default:
      return {.fill = tint(owner, colours), .line = QPen(colours.outline(), 1)};
  }
}

std::vector<MemoryGroup> memoryGroups(const engine::ProcessMemory& memory) {
  std::vector<MemoryGroup> groups;
  for (std::size_t part = 0; part < memory.parts.size(); ++part) {
    const MemoryOwner owner = memory.parts[part].owner;
    auto group = std::ranges::find(groups, owner, &MemoryGroup::owner);
    if (group == groups.end()) group = groups.insert(groups.end(), MemoryGroup{.owner = owner});
    group->bytes += memory.parts[part].bytes;
    group->parts.push_back(part);
  }
  std::ranges::stable_sort(groups, {}, &MemoryGroup::owner);
  return groups;
}

engine::MemoryPart wholeOf(const engine::ProcessMemory& memory, const MemoryGroup& group) {
  engine::MemoryPart whole;
  whole.owner = group.owner;
  whole.bytes = group.bytes;
  for (const std::size_t index : group.parts) {
    const engine::MemoryPart& part = memory.parts[index];
    if (!whole.address || part.address < whole.address) whole.address = part.address;
    whole.mappings += part.mappings;
    whole.inDumpBytes += part.inDumpBytes;
  }
  return whole;
}

std::vector<TreemapPart> memoryTreemap(const engine::ProcessMemory& memory, const std::vector<MemoryGroup>& groups,
                                       const engine::Snapshot& snapshot) {
  std::vector<TreemapPart> treemap;
  for (const MemoryGroup& group : groups) {
    TreemapPart owner{
        .name = memoryOwnerText(group.owner),
        .bytes = group.bytes,
        .sample = [who = group.owner](const Colours& colours) { return memorySample(who, std::nullopt, colours); },
        .facts = {memoryOwnerTip(group.owner)},
        .parts = {}};
    const bool isOfObjects = group.owner == MemoryOwner::GcUsed;
    if (isOfObjects) owner.facts << reachFacts(snapshot, std::nullopt);
    for (const std::size_t index : group.parts) {
      const engine::MemoryPart& part = memory.parts[index];
      owner.parts.push_back({.name = isOfObjects ? withGarbage(part, snapshot) : memoryPartText(part),
                             .bytes = part.bytes,
                             .sample = [who = part.owner, generation = generationOf(part)](
                                           const Colours& colours) { return memorySample(who, generation, colours); },
                             .facts = factsOf(part),
                             .parts = {}});
      if (isOfObjects && generationOf(part)) owner.parts.back().facts << reachFacts(snapshot, generationOf(part));
    }
    treemap.push_back(std::move(owner));
  }
  return treemap;
}

RowSchema<MemoryRow> memorySchema(std::uint64_t mappedBytes) {
  static const engine::TableOf<MemoryRow> table = engine::memoryTable().within(&MemoryRow::part);
  RowSchema<MemoryRow> schema{.table = &table};
  schema.columns.push_back({.setup = {.field = "owner", .letters = 20},
                            .words = [](const MemoryRow& row) { return memoryOwnerText(row.part.owner); },
                            .detail = [](const MemoryRow& row) { return memoryOwnerTip(row.part.owner); }});
  schema.columns.push_back(
      {.setup = {.field = "name", .letters = 26, .stretches = true},
       .words = [](const MemoryRow& row) { return row.part.name.empty() ? QString() : memoryPartText(row.part); },
       .detail =
           [](const MemoryRow& row) {
             return row.part.path.empty() ? memoryPartText(row.part) : fromEngine(row.part.path);
           }});
  schema.columns.push_back(
      {.setup = {.field = "bytes", .bar = ColumnBar::Plain}, .detail = [mappedBytes](const MemoryRow& row) {
         return u"%1, %2 of all that is mapped"_s.arg(exactBytesText(row.part.bytes),
                                                      percentText(row.part.bytes, mappedBytes));
       }});
  for (const char* field : {"inDump", "mappings", "address"}) schema.columns.push_back({.setup = {.field = field}});
  // Parts of several owners may begin at one address: their place in the list tells them apart.
  schema.identity = [](const MemoryRow& row) { return engine::Address{row.index + 1}; };
  return schema;
}

std::shared_ptr<const RowList> memoryRows(const engine::ProcessMemory& memory) {
  std::vector<MemoryRow> rows;
  for (std::size_t index = 0; index < memory.parts.size(); ++index)
    rows.push_back({.part = memory.parts[index], .index = index});
  std::ranges::stable_sort(rows, std::ranges::greater{}, [](const MemoryRow& row) { return row.part.bytes; });
  return makeRowList(std::move(rows), memorySchema(memory.mappedBytes));
}

}  // namespace heapscape::gui
