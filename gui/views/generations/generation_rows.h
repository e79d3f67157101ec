// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "models/rows/row_list.h"
#include "session/snapshot/snapshot.h"
#include "session/types/type_query.h"

namespace heapscape::gui {

/// A line of the figures below the generations' picture: a generation of a heap, or the sum of all.
struct GenerationLine {
  std::optional<engine::GenerationRow> part;  // nothing for the sum
  engine::ObjectTotals totals;
  std::uint64_t usedInAll = 0;  // bytes of objects in all of them
};

enum GenerationColumn : int {
  HeapColumn,
  GenerationNameColumn,
  GenerationObjectsColumn,
  UsedColumn,
  FreeColumn,
  FreeShareColumn,
  UsedShareColumn
};
/// Roles for the delegate of that table: a Generation as int, nothing for the sum; whether nothing lies there.
enum GenerationCellRole { kGenerationRole = Qt::UserRole + 100, kEmptyRole };

RowSchema<GenerationLine> generationSchema();
/// A line for each row, and their sum; none for no rows.
std::vector<GenerationLine> generationLines(const std::vector<engine::GenerationRow>& rows);

/// The part of the heap that a line is about; the whole for the sum.
engine::HeapScope scopeOf(const std::vector<engine::GenerationRow>& rows, std::size_t line);

}  // namespace heapscape::gui
