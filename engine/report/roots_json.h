// SPDX-License-Identifier: MIT
#pragma once

#include "report/json_writer.h"
#include "report/row_selection.h"
#include "session/finalizers_query.h"
#include "session/handles_query.h"
#include "session/statics_query.h"

namespace heapscape::engine {

/// Each writes the member of that name.
void writeHandles(JsonWriter& json, const HandleList& list, const RowSelection& selection);
void writeFinalizers(JsonWriter& json, const FinalizerList& list, const RowSelection& selection);
void writeStatics(JsonWriter& json, const StaticList& list, const RowSelection& selection);

}  // namespace heapscape::engine
