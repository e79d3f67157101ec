// SPDX-License-Identifier: MIT
#pragma once

#include "output/json_writer.h"
#include "output/output.h"
#include "session/snapshot/snapshot.h"
#include "session/threads/crash_query.h"

namespace heapscape::engine {

/// The member "info": what ended the process, the runtime, the dump, the heap.
void writeInfo(JsonWriter& json, const Snapshot& snapshot, const Crash& crash, bool isRedacted);

/// The same for people, led by the crash if there was one.
void writeInfoText(Output& output, const Snapshot& snapshot, const Crash& crash, bool isRedacted);

}  // namespace heapscape::engine
