// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "insight/comparison/comparison.h"
#include "tables/table.h"

namespace heapscape::engine {

/// What has become of a type.
enum class TypeFate : std::uint8_t { Grown, Shrunk, New, Gone, Same };
/// "grown", "shrunk", "new", "gone", "same".
const char* toString(TypeFate fate);
TypeFate fateOf(const TypeChange& type);

/// The lists of a comparison.
const TableOf<TypeChange>& typeChangesTable();
const TableOf<FigureChange>& figureChangesTable();
const TableOf<InsightChange>& insightChangesTable();
const TableOf<LayoutChange>& layoutChangesTable();

}  // namespace heapscape::engine
