// SPDX-License-Identifier: MIT
#pragma once

#include "insight/insight.h"
#include "output/json_writer.h"
#include "output/row_selection.h"

namespace heapscape::engine {

/// Writes `insights`, `groups` and `totals`. Without contents, what items say and facts that tell of contents if
/// redacted.
void writeInsights(JsonWriter& json, const InsightList& list, const RowSelection& selection);

}  // namespace heapscape::engine
