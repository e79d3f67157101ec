// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "models/rows/row_list.h"
#include "tables/cut_tables.h"
#include "tables/retained_tables.h"
#include "views/references/cuts/cut_list.h"

namespace heapscape::gui {

/// A cut of the list, and what it frees by itself or why it cannot be made.
struct ShownCut {
  engine::CutShare share;  // of one that cannot be made no more than how it is written
  QString why;             // empty for one that can
};
RowSchema<ShownCut> cutSchema();
/// In the order of the list.
std::vector<ShownCut> shownCuts(const CutAnswer& answer);

RowSchema<engine::ListedFreedType> freedTypeSchema();
RowSchema<engine::ListedRetained> freedObjectSchema();

}  // namespace heapscape::gui
