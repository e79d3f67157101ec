// SPDX-License-Identifier: MIT
#pragma once

#include "output/json_writer.h"
#include "output/row_selection.h"
#include "session/roots/finalizers_query.h"
#include "session/roots/handles_query.h"
#include "session/roots/statics_query.h"

namespace heapscape::engine {

/// Each writes the member of that name.
void writeHandles(JsonWriter& json, const HandleList& list, const RowSelection& selection);
void writeFinalizers(JsonWriter& json, const FinalizerList& list, const RowSelection& selection);
void writeStatics(JsonWriter& json, const StaticList& list, const RowSelection& selection);

}  // namespace heapscape::engine
