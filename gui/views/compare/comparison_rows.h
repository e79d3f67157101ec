// SPDX-License-Identifier: MIT
#pragma once

#include "insight/comparison.h"
#include "models/row_list.h"

namespace heapscape::gui {

/// An object of a type that is compared.
struct ComparedObject {
  engine::Address address;
  std::uint64_t bytes = 0;
  bool isOther = false;  // of the dump that is not open
};

/// The kinds of rows of typeChangeSchema().
enum class TypeChangeKind : std::size_t { Grown, Shrunk, New, Gone, Same };

/// Rows lead to the type in the open dump, where it has one; `isOpenBefore` tells which side that is.
RowSchema<engine::TypeChange> typeChangeSchema(const engine::Snapshot& open, bool isOpenBefore);
/// The columns alone.
std::vector<ColumnSetup> typeChangeColumns();
RowSchema<engine::FigureChange> figureChangeSchema();
RowSchema<engine::InsightChange> insightChangeSchema();
RowSchema<engine::LayoutChange> layoutChangeSchema(bool isOpenBefore);
RowSchema<ComparedObject> comparedObjectSchema();

/// "+1.98 MB", "−400", "0".
QString differenceText(const engine::Change& change, bool isBytes);

}  // namespace heapscape::gui
