// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/finding.h"
#include "base/result.h"
#include "runtime/gc/gc_history.h"
#include "session/stacks/folded_frames.h"
#include "session/stacks/stacks_query.h"
#include "session/threads/crash_cause.h"
#include "values/reading/exception_details.h"

namespace heapscape::engine {

/// Caller of FailFast, where the kind is FailFast.
enum class FailFastBy : std::uint8_t {
  Program,    // called Environment.FailFast
  Assertion,  // Debug.Assert, Trace.Fail and the like
  Runtime,    // an error of its own: a damaged heap, say
};

template <>
inline constexpr auto kEnumNames<FailFastBy> = std::to_array<EnumName<FailFastBy>>(
    {{FailFastBy::Program, "program"}, {FailFastBy::Assertion, "assertion"}, {FailFastBy::Runtime, "runtime"}});

/// Why a process died, or that it did not.
struct Crash {
  CrashCause cause;
  std::uint32_t processId = 0;
  std::uint32_t managedId = 0;  // of the thread; 0 where the runtime does not know it
  std::string threadName;       // that the program gave it
  bool isFinalizer = false;
  bool isThreadPool = false;
  /// Exception that it died of, with what caused it; of FailFast the exception that it was called with, of a signal one
  /// that was on its way.
  std::optional<ExceptionDetails> exception;
  FailFastBy failFastBy = FailFastBy::Program;
  std::optional<std::string> message;  // FailFast's
  /// The program's own method that it happened in: of an exception the innermost that it passed, else of the thread's
  /// frames. Empty if there is none.
  std::string place;
  bool isPlaceOnTop = true;  // false: it happened in what that method has called
  /// Stack of the thread, with native frames too where a signal came to native code; null if there is none. Whether it
  /// has roots depends on who has read it.
  std::shared_ptr<const ThreadStackRow> stack;
  std::vector<FrameRun> runs;                   // of its frames
  std::vector<OutOfMemoryRecord> outOfMemory;   // what the GC noted of allocations that failed
  std::optional<std::uint64_t> hardLimitBytes;  // that was set for the heap
  FindingList findings;

  /// Returns the runs of frames that repeat; those of an overflow.
  std::vector<FrameRun> repeated() const;
};

/// Needs the stage Summary.
Outcome<Crash> readCrash(const Snapshot& snapshot, std::stop_token stop);

/// "thread 5 "baker" (OS id 1204)", "the finalizer thread, 2 (OS id 1201)", "a thread of native code (OS id 1210)".
std::string threadText(const Crash& crash, bool withName = true);
/// One sentence: what it died of, where and on which thread, without what exceptions and strings say.
std::string crashSentence(const Crash& crash, bool withName = true);
/// Notes on the signal, of memory, or of how it came to the dump; none or several sentences.
std::vector<std::string> crashNotes(const Crash& crash);

}  // namespace heapscape::engine
