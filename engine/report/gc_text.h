// SPDX-License-Identifier: MIT
#pragma once

#include "report/output.h"
#include "report/row_selection.h"
#include "session/heap/gc_query.h"

namespace heapscape::engine {

void writeGcText(Output& output, const GcReport& report, const RowSelection& selection);

}  // namespace heapscape::engine
