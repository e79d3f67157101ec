// SPDX-License-Identifier: MIT
#pragma once

#include "models/rows/row_list.h"

namespace heapscape::gui {

/// A finding, and when it was made.
struct FindingRow {
  engine::Finding finding;
  bool isOfCheck = false;  // else of opening the dump
};

RowSchema<FindingRow> findingSchema();

}  // namespace heapscape::gui
