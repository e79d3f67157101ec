// SPDX-License-Identifier: MIT
#pragma once

#include "output/json_writer.h"
#include "output/row_selection.h"
#include "session/objects/strings_query.h"

namespace heapscape::engine {

/// Members `strings`, and `totals` of all that match. Redacted ones have no `value`.
void writeStrings(JsonWriter& json, const StringList& list, const RowSelection& selection);

}  // namespace heapscape::engine
