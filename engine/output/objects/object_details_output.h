// SPDX-License-Identifier: MIT
#pragma once

#include "output/json_writer.h"
#include "output/output.h"
#include "session/details/object_details.h"

namespace heapscape::engine {

/// Writes the member `object`. `bytes`: what of its memory is shown, or null. With `redact` all that fields and strings
/// hold is left out.
void writeObjectDetails(JsonWriter& json, const ObjectDetails& details, const ObjectBytes* bytes, bool redact);

/// Writes the details of an object, in tables for people. `bytes`: its memory, or null. With `redact` all that fields
/// and strings hold is left out.
void writeObjectDetailsText(Output& output, const ObjectDetails& details, const ObjectBytes* bytes, bool redact);

/// An object's memory, a line for each run of bytes, with what it belongs to.
void writeObjectBytesText(Output& output, const ObjectBytes& bytes);

}  // namespace heapscape::engine
