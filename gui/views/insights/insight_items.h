// SPDX-License-Identifier: MIT
#pragma once

#include "insight/insight.h"
#include "models/rows/row_list.h"

namespace heapscape::gui {

/// The objects or gaps of an insight as rows.
RowSchema<engine::InsightItem> insightItemSchema(engine::InsightKind kind);

}  // namespace heapscape::gui
