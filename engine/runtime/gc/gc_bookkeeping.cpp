// SPDX-License-Identifier: MIT
#include "runtime/gc/gc_bookkeeping.h"

#include <unordered_set>

#include "runtime/gc/handles.h"

namespace heapscape::engine {
namespace {

// A GC that grows its tables keeps the old ones in a chain until the next collection.
constexpr std::size_t kMaximumTables = 1000;

std::vector<AddressRange> readCardTables(const ClrRuntime& runtime, FindingList& findings) {
  std::vector<AddressRange> tables;
  const auto variables = runtime.globalPointer("GcDacVars");
  const auto variable = variables ? runtime.pointerAt(*variables, "GcDacVars", "BookkeepingStart") : variables;
  auto table = variable && *variable ? runtime.memory().readPointer(*variable) : variable;
  // An older GC does not say how long the head of a table is; then only the first one is found.
  const auto headBytes =
      runtime.valueAt<std::uint64_t>(variables.value_or(Address{}), "GcDacVars", "CardTableInfoSize");
  std::unordered_set<Address> seen;
  while (table && *table && seen.size() < kMaximumTables && seen.insert(*table).second) {
    const auto size = runtime.valueAt<std::uint64_t>(*table, "CardTableInfo", "Size");
    const auto next = runtime.pointerAt(*table, "CardTableInfo", "NextCardTable");
    if (!size || !next || *size > ~table->value) {
      findings.add(FindingKind::RuntimeDataDamaged, *table, "A card table of the GC cannot be read.");
      break;
    }
    tables.push_back({*table, *table + *size});
    if (!headBytes || next->value < *headBytes) break;
    table = *next - *headBytes;  // the chain goes from table to table, behind their heads
  }
  return tables;
}

}  // namespace

GcBookkeeping readGcBookkeeping(const ClrRuntime& runtime, bool hasRegions, FindingList& findings) {
  GcBookkeeping read;
  read.tables = readCardTables(runtime, findings);
  read.handleSegments = readHandleSegments(runtime, findings);
  const auto lowest = runtime.globalPointer("LowestAddress");
  const auto highest = runtime.globalPointer("HighestAddress");
  if (hasRegions && lowest && highest && *lowest < *highest) read.regions = {*lowest, *highest};
  return read;
}

}  // namespace heapscape::engine
