// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "heap/segment.h"
#include "models/names/memory_owner_text.h"
#include "models/rows/row_list.h"
#include "session/process/process_memory.h"
#include "session/snapshot/snapshot.h"
#include "widgets/treemap/treemap.h"

namespace heapscape::gui {

/// "gen0", "libcoreclr.so"; the owner's own words where a part has no name.
QString memoryPartText(const engine::MemoryPart& part);
/// What is live and what garbage, of one generation or of all; nothing while it is not known.
engine::RetainedTotals reachOf(const engine::Snapshot& snapshot, std::optional<engine::Generation> generation);
/// The generation that a part of the GC's is about, by its name.
std::optional<engine::Generation> generationOf(const engine::MemoryPart& part);
/// Whether it is the GC's: objects, the free blocks between them, what is kept for them, and its own tables.
bool isOfGc(engine::MemoryOwner owner);
/// Memory that the runtime's structures say nothing of.
bool isUnexplained(engine::MemoryOwner owner);

/// How an owner's memory is drawn; objects in the colour of their generation.
ChipSample memorySample(engine::MemoryOwner owner, std::optional<engine::Generation> generation,
                        const Colours& colours);

/// The memory of one owner.
struct MemoryGroup {
  engine::MemoryOwner owner = engine::MemoryOwner::Other;
  std::uint64_t bytes = 0;
  std::vector<std::size_t> parts = {};  // indices in the memory's parts
};
/// The parts by owner, in the owners' own order.
std::vector<MemoryGroup> memoryGroups(const engine::ProcessMemory& memory);

/// A group as one part without a name of its own.
engine::MemoryPart wholeOf(const engine::ProcessMemory& memory, const MemoryGroup& group);

/// A treemap's group for each of these, with their parts in the same order. `snapshot`: where it tells what is live,
/// objects say how much of them is.
std::vector<TreemapPart> memoryTreemap(const engine::ProcessMemory& memory, const std::vector<MemoryGroup>& groups,
                                       const engine::Snapshot& snapshot);

/// A part and where it stands in the memory's list.
struct MemoryRow {
  engine::MemoryPart part;
  std::size_t index = 0;
};

RowSchema<MemoryRow> memorySchema(std::uint64_t mappedBytes);
std::shared_ptr<const RowList> memoryRows(const engine::ProcessMemory& memory);

}  // namespace heapscape::gui
