// SPDX-License-Identifier: MIT
#pragma once

#include "output/output.h"
#include "output/row_selection.h"
#include "session/heap/gc_query.h"

namespace heapscape::engine {

void writeGcText(Output& output, const GcReport& report, const RowSelection& selection);

}  // namespace heapscape::engine
