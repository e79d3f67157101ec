// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <memory>

#include "models/rows/row_list.h"
#include "session/heap/gc_query.h"
#include "tables/gap_tables.h"
#include "tables/gc_tables.h"

namespace heapscape::gui {

/// Lists of a GC report. `report` null: only the columns are wanted, there are no rows.
using SharedGcReport = std::shared_ptr<const engine::GcReport>;

RowSchema<engine::GenerationFigures> gcGenerationSchema();
RowSchema<engine::GapRow> gcGapSchema();
RowSchema<engine::PinGroup> gcPinSchema();
RowSchema<engine::RecordedCollection> gcCollectionSchema();
RowSchema<engine::FinalizerBacklog::Type> gcFinalizerSchema();

/// How the GC was set up, where each figure came from, and what it has counted.
std::shared_ptr<const RowList> gcSettingRows(const SharedGcReport& report);
/// Budget, survival and free space by generation and heap.
std::shared_ptr<const RowList> gcGenerationRows(const SharedGcReport& report);
/// Types of the objects that stand behind gaps.
std::shared_ptr<const RowList> gcGapRows(const SharedGcReport& report);
/// Pinned objects by who pins them.
std::shared_ptr<const RowList> gcPinRows(const SharedGcReport& report);
/// The collections that the GC has kept a record of.
std::shared_ptr<const RowList> gcCollectionRows(const SharedGcReport& report);
/// Types of objects whose finalizer is due.
std::shared_ptr<const RowList> gcFinalizerRows(const SharedGcReport& report);

}  // namespace heapscape::gui
