// SPDX-License-Identifier: MIT
#pragma once

#include "output/json_writer.h"
#include "output/output.h"
#include "session/types/type_details.h"

namespace heapscape::engine {

/// How shared code finds its type arguments: the steps, dictionaries with their slots and what each costs next, those
/// of parents and of generic methods. Nothing for a type that has none of it.
void writeTypeLookupsText(Output& output, const TypeDetails& type);

/// The same: `dictionary` and `lookups` {`paths`, `figures`, `inherited`, `methods`}.
void writeTypeLookupMembers(JsonWriter& json, const TypeDetails& type);

}  // namespace heapscape::engine
