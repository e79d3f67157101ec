// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "output/json_writer.h"
#include "output/output.h"
#include "output/row_selection.h"
#include "session/references/what_if.h"

namespace heapscape::engine {

/// What cuts would free, as it is written.
struct WhatIfAnswer {
  const WhatIf& whatIf;
  std::vector<RetainedRow> objects;  // the outermost
  std::vector<FreedType> types;      // all
};

/// Writes the cuts as `without`, `freed`, the outermost objects as `retained`, `types`, and the totals of the heap as
/// it is.
void writeWhatIf(JsonWriter& json, const WhatIfAnswer& answer, const RowSelection& selection);
/// The objects, or types.
void writeWhatIfTsv(Output& output, const WhatIfAnswer& answer, bool byType, const RowSelection& selection);
/// The cuts, what they free together, and its objects or types.
void writeWhatIfText(Output& output, const WhatIfAnswer& answer, bool byType, const RowSelection& selection);

}  // namespace heapscape::engine
