// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "session/heap/gc_query.h"
#include "tables/table.h"

namespace heapscape::engine {

/// A generation of a heap: gaps, and what the GC keeps of it, if that is known.
struct GenerationFigures {
  GenerationGaps gaps;
  std::optional<GenerationBudget> budget;
};
std::vector<GenerationFigures> listGenerationFigures(const GcReport& report);
/// Each has the types that stand behind its gaps.
const TableOf<GenerationFigures>& generationFiguresTable();

/// A type that stands behind gaps of a generation.
struct GapRow {
  Generation generation = Generation::Gen0;
  std::uint32_t heap = 0;
  GapNeighbour neighbour;
};
/// By generation and heap, those with most free bytes first.
std::vector<GapRow> listGaps(const GcReport& report);
const TableOf<GapRow>& gapsTable();

}  // namespace heapscape::engine
