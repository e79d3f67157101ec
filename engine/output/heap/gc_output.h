// SPDX-License-Identifier: MIT
#pragma once

#include "output/json_writer.h"
#include "output/output.h"
#include "output/row_selection.h"
#include "session/heap/gc_query.h"

namespace heapscape::engine {

/// The member `gc`. The selection limits types between gaps, pins and types of finalizers, each.
void writeGc(JsonWriter& json, const GcReport& report, const RowSelection& selection);

void writeGcText(Output& output, const GcReport& report, const RowSelection& selection);

}  // namespace heapscape::engine
