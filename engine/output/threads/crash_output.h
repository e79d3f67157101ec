// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "output/json_writer.h"
#include "output/output.h"
#include "output/row_selection.h"
#include "session/threads/crash_query.h"

namespace heapscape::engine {

/// Writes the member "crash"; of frames that repeat each once, with `times`.
void writeCrash(JsonWriter& json, const Crash& crash, const RowSelection& selection);
/// Writes the members of the cause alone, without exceptions and frames.
void writeCrashCause(JsonWriter& json, const Crash& crash, bool isRedacted);

/// A paragraph of what happened, then the exception with those inside of it, then the frames of the thread.
void writeCrashText(Output& output, const Crash& crash, const RowSelection& selection);
/// The sentence of what happened, and what the exception or FailFast says.
std::string crashParagraph(const Crash& crash, bool isRedacted);

}  // namespace heapscape::engine
