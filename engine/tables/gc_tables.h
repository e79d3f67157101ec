// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/enum_names.h"
#include "session/heap/gc_query.h"
#include "tables/table.h"

namespace heapscape::engine {

/// Settings asked of the GC.
const TableOf<GcSetting>& gcSettingsTable();

/// How a collection went about it.
enum class CollectionManner : std::uint8_t { Background, Compacting, Sweeping };
template <>
inline constexpr auto kEnumNames<CollectionManner> =
    std::to_array<EnumName<CollectionManner>>({{CollectionManner::Background, "background"},
                                               {CollectionManner::Compacting, "compacting"},
                                               {CollectionManner::Sweeping, "sweeping"}});
CollectionManner mannerOf(const RecordedCollection& collection);
/// For how long the program stood still, microseconds.
std::uint64_t pauseOf(const RecordedCollection& collection);
/// Collections that the GC has noted, each with its generations.
const TableOf<RecordedCollection>& recordedCollectionsTable();
/// How many collections there were of a generation.
struct CollectionCount {
  std::uint32_t generation = 0;
  std::uint64_t count = 0;
};
std::vector<CollectionCount> listCollectionCounts(const GcReport& report);
const TableOf<CollectionCount>& collectionCountsTable();

const TableOf<PinGroup>& pinsTable();
const TableOf<OutOfMemoryRecord>& outOfMemoryTable();
const TableOf<FreeRegions>& freeRegionsTable();
const TableOf<GcMechanismCount>& gcMechanismsTable();
const TableOf<FinalizerBacklog::Type>& finalizerBacklogTable();

}  // namespace heapscape::engine
