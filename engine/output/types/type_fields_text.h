// SPDX-License-Identifier: MIT
#pragma once

#include "output/output.h"
#include "output/row_selection.h"
#include "session/types/type_details.h"

namespace heapscape::engine {

/// The fields in the columns of SOS (dumpclass, dumpobj), with what they hold if an object was asked for. Nothing for a
/// type without fields.
void writeTypeFieldsText(Output& output, const TypeDetails& type, const RowSelection& selection);

}  // namespace heapscape::engine
