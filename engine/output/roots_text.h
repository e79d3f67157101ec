// SPDX-License-Identifier: MIT
#pragma once

#include "output/output.h"
#include "output/row_selection.h"
#include "session/roots/finalizers_query.h"
#include "session/roots/handles_query.h"
#include "session/roots/statics_query.h"

namespace heapscape::engine {

/// The same as in roots_json.h, for people.
void writeHandlesText(Output& output, const HandleList& list, const RowSelection& selection);
void writeFinalizersText(Output& output, const FinalizerList& list, const RowSelection& selection);
void writeStaticsText(Output& output, const StaticList& list, const RowSelection& selection);

/// A header line and a tab-separated line a row.
void writeHandlesTsv(Output& output, const HandleList& list, const RowSelection& selection);
void writeStaticsTsv(Output& output, const StaticList& list, const RowSelection& selection);

}  // namespace heapscape::engine
