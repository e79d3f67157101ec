// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "output/json_writer.h"
#include "output/output.h"
#include "session/heap/bad_objects.h"

namespace heapscape::engine {

/// `badObjects`: what lies around each; without words and text if contents are to be left out.
void writeBadObjects(JsonWriter& json, const std::vector<BadObject>& objects, bool redact);
void writeBadObjectsText(Output& output, const std::vector<BadObject>& objects, bool redact);

}  // namespace heapscape::engine
