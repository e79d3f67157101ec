// SPDX-License-Identifier: MIT
#pragma once

#include "output/json_writer.h"
#include "output/output.h"
#include "session/types/type_details.h"

namespace heapscape::engine {

/// The parts of the EEClass that only some types have, and its counts, by the runtime's names.
void writeTypeClassText(Output& output, const TypeDetails& type);

/// The same as members of the object that is open: `eeClassFigures`, `optionalFields` and `layoutInfo`, null for what
/// the class does not have.
void writeTypeClassMembers(JsonWriter& json, const TypeDetails& type);

}  // namespace heapscape::engine
