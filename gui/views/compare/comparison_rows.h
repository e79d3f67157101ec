// SPDX-License-Identifier: MIT
#pragma once

#include "insight/comparison/comparison.h"
#include "insight/comparison/owner_changes.h"
#include "models/rows/row_list.h"
#include "tables/path_tables.h"

namespace heapscape::gui {

/// An object of a type that is compared.
struct ComparedObject {
  engine::Address address;
  std::uint64_t bytes = 0;
  bool isOther = false;  // of the dump that is not open
};

/// The method table of a type on one side; 0 where it has no objects.
engine::Address methodTableOf(const engine::TypeChange& type, const engine::Snapshot& before,
                              const engine::Snapshot& after, bool isBefore);
/// Kinds of rows are engine::TypeFate. Rows lead to the type in the open dump, where it has one; `isOpenBefore` tells
/// which side that is. They are known by its method table there, or else in the other one.
RowSchema<engine::TypeChange> typeChangeSchema(const engine::Snapshot& before, const engine::Snapshot& after,
                                               bool isOpenBefore);
/// The columns alone.
std::vector<ColumnSetup> typeChangeColumns();
RowSchema<engine::FigureChange> figureChangeSchema();
RowSchema<engine::InsightChange> insightChangeSchema();
RowSchema<engine::LayoutChange> layoutChangeSchema(bool isOpenBefore);
RowSchema<engine::OwnerChange> ownerChangeSchema();
RowSchema<engine::RootChange> rootChangeSchema();
/// The kinds of rows are the open dump and the other one, by their names.
RowSchema<ComparedObject> comparedObjectSchema(const QString& open, const QString& other);
/// The steps of a way from a root in whichever dump: they lead nowhere, for the other one is not open.
RowSchema<engine::ListedStep> comparedStepSchema();

/// "+1.98 MB", "−400", "0".
QString differenceText(const engine::Change& change, bool isBytes);

}  // namespace heapscape::gui
