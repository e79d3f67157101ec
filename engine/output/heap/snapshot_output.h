// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "output/json_writer.h"
#include "output/output.h"
#include "session/heap/bad_objects.h"
#include "session/snapshot/snapshot.h"
#include "session/threads/crash_query.h"

namespace heapscape::engine {

/// The member "info": what ended the process, the runtime, the dump, the heap.
void writeInfo(JsonWriter& json, const Snapshot& snapshot, const Crash& crash, bool isRedacted);

/// Writes what writeInfo() does as text for people, led by the crash if there was one.
void writeInfoText(Output& output, const Snapshot& snapshot, const Crash& crash, bool isRedacted);

/// `badObjects`: what lies around each; without words and text if contents are to be left out.
void writeBadObjects(JsonWriter& json, const std::vector<BadObject>& objects, bool redact);
void writeBadObjectsText(Output& output, const std::vector<BadObject>& objects, bool redact);

}  // namespace heapscape::engine
