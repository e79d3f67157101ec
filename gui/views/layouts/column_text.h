// SPDX-License-Identifier: MIT
#pragma once

#include "views/layouts/layout_column.h"
#include "widgets/layout_diagram/side_by_side_geometry.h"

namespace heapscape::gui {

/// "Actual", "Best", "Pack 1", ".NET 8".
QString columnName(const ColumnKey& key);
/// What the rules of a column are, in a sentence.
QString columnTip(const ColumnKey& key);

/// Columns that come to the same layout, in the order of the first of each.
using AlikeColumns = std::vector<const LayoutColumn*>;
std::vector<AlikeColumns> groupAlike(const std::vector<const LayoutColumn*>& columns);
/// "Actual = Declared".
QString columnNames(const AlikeColumns& columns);

/// What a layout saves over another, per unit and over the objects of the heap.
struct ColumnSaving {
  std::int64_t perUnit = 0;   // of a class after rounding; of a value type unboxed; of an array an element
  std::int64_t overHeap = 0;  // objects of exactly this type alone; boxes of a value type
};
ColumnSaving savingOf(const engine::TypeLayout& base, const engine::TypeLayout& other,
                      const TypePopulation& population);

/// What is drawn of columns: each layout once. `isUnboxed` is for value types.
std::vector<DiagramColumn> diagramColumns(const PreparedLayout& layout, const std::vector<AlikeColumns>& columns,
                                          bool isUnboxed);

}  // namespace heapscape::gui
