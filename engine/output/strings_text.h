// SPDX-License-Identifier: MIT
#pragma once

#include "output/output.h"
#include "output/row_selection.h"
#include "session/objects/strings_query.h"

namespace heapscape::engine {

/// A table for people, with the sums below. Redacted ones show no characters.
void writeStringsText(Output& output, const StringList& list, const RowSelection& selection);
void writeStringsTsv(Output& output, const StringList& list, const RowSelection& selection);

}  // namespace heapscape::engine
