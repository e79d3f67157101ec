// SPDX-License-Identifier: MIT
#pragma once

#include "models/rows/row_list.h"
#include "session/layouts/layout_comparison.h"

namespace heapscape::gui {

/// The kinds of rows of comparedTypeSchema().
enum class ComparedKind : std::size_t { Changed, OnlyThere, OnlyHere };
RowSchema<engine::ComparedLayout> comparedTypeSchema();

/// The kinds of rows of fieldDifferenceSchema().
enum class FieldDifferenceKind : std::size_t { Different, Same };
RowSchema<engine::FieldDifference> fieldDifferenceSchema();

}  // namespace heapscape::gui
