// SPDX-License-Identifier: MIT
#pragma once

#include "output/json_writer.h"
#include "session/objects/object_details.h"

namespace heapscape::engine {

/// Writes the member `object`. `bytes`: what of its memory is shown, or null. With `redact` all that fields and strings
/// hold is left out.
void writeObjectDetails(JsonWriter& json, const ObjectDetails& details, const ObjectBytes* bytes, bool redact);

}  // namespace heapscape::engine
