// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "redact/redaction_plan.h"

namespace heapscape::engine {

/// The notes of a core file as a redacted copy has them: registers only as far as they say where a thread is and what
/// it refers to, no command, no arguments, folders below homes made unreadable; and one more that says what was done.
/// Notes that no one needs are left out.
std::vector<std::byte> redactedNotes(const Contents& contents, const RedactionPlan& plan, const std::string& redaction);
/// How many bytes of a file's notes are not zero and would not be in a copy of it.
std::uint64_t unexpectedNoteBytes(const Contents& contents, const RedactionPlan& plan);

}  // namespace heapscape::engine
