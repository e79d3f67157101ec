// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "base/figures.h"
#include "session/heap/gc_query.h"
#include "session/threads/crash_query.h"
#include "session/threads/signal_names.h"

namespace heapscape::engine {
namespace {

std::string placeText(const Crash& crash) {
  if (crash.place.empty()) return {};
  const bool isBelow = crash.cause.kind == CrashKind::Signal && !crash.isPlaceOnTop;
  return fmt::format(", {}{}", isBelow ? "in what was called by " : "in ", crash.place);
}

std::string exceptionTypeText(const Crash& crash) {
  const std::string& type = crash.exception ? crash.exception->type : crash.cause.exceptionType;
  return type.empty() ? std::string("an exception that the dump does not hold") : type;
}

std::string signalSentence(const Crash& crash, const std::string& thread) {
  const CrashCause& cause = crash.cause;
  if (!cause.signal) return fmt::format("The process died on {}.", thread);
  return fmt::format("The process died of {} on {}{}.", signalName(cause.signal->number), thread, placeText(crash));
}

std::string overflowSentence(const Crash& crash, const std::string& thread) {
  const std::vector<FrameRun> repeated = crash.repeated();
  if (repeated.empty() || !crash.stack)
    return fmt::format("The process died of a stack overflow on {}{}.", thread, placeText(crash));
  const auto longest = std::ranges::max_element(repeated, {}, &FrameRun::count);
  return fmt::format("The process died of a stack overflow on {}: {} frames, {}.", thread,
                     readableCount(crash.stack->frames.size()), textOf(*longest, crash.stack->frames));
}

std::string livingSentence(const Crash& crash) {
  switch (crash.cause.state) {
    case ProcessState::Living:
      return "The process was alive when it was dumped: it did not crash.";
    case ProcessState::Died:
      return "The process died, but the dump does not tell of what.";
    case ProcessState::Unknown:
      break;
  }
  return "The dump does not tell whether the process died.";
}

std::string failFastSentence(const Crash& crash, const std::string& thread) {
  switch (crash.failFastBy) {
    case FailFastBy::Program:
      return fmt::format("The program ended itself by Environment.FailFast on {}{}.", thread, placeText(crash));
    case FailFastBy::Assertion:
      return fmt::format("An assertion of the program failed on {}{}.", thread, placeText(crash));
    case FailFastBy::Runtime:
      break;
  }
  return fmt::format("The runtime itself gave up on {}{}.", thread, placeText(crash));
}

/// Who sent the signal, and of a fault what was wrong.
std::string signalNote(const Crash& crash, std::uint32_t pid) {
  const CoreSignal& signal = *crash.cause.signal;
  if (signal.sender)
    return *signal.sender == pid
               ? fmt::format("The process sent {} to itself, as abort and raise do.", signalName(signal.number))
               : fmt::format("Process {} sent {}.", *signal.sender, signalName(signal.number));
  const std::string fault = faultText(signal);
  if (!signal.address) return fault.empty() ? std::string() : fmt::format("It was {}.", fault);
  // Of memory the address is what was wanted, of an instruction where it stands.
  const bool isOfMemory = signal.number == SIGSEGV || signal.number == SIGBUS;
  if (!isOfMemory) return fmt::format("At {}: {}.", toString(*signal.address), fault.empty() ? "a fault" : fault);
  return fmt::format("It touched {}{}{}.", toString(*signal.address), fault.empty() ? "" : ": ", fault);
}

}  // namespace

std::string threadText(const Crash& crash, bool withName) {
  const std::uint32_t osId = crash.cause.osId;
  const std::string name = withName && !crash.threadName.empty() ? fmt::format(" \"{}\"", crash.threadName) : "";
  if (!crash.cause.thread) return osId ? fmt::format("a thread of native code (OS id {})", osId) : "a thread";
  if (crash.isFinalizer) return fmt::format("the finalizer's thread {} (OS id {})", crash.managedId, osId);
  return fmt::format("thread {}{}{} (OS id {})", crash.managedId, name, crash.isThreadPool ? " of the pool" : "", osId);
}

std::string crashSentence(const Crash& crash, bool withName) {
  const std::string thread = threadText(crash, withName);
  switch (crash.cause.kind) {
    case CrashKind::None:
      break;
    case CrashKind::UnhandledException:
      return fmt::format("The process died of an unhandled {} on {}{}.", exceptionTypeText(crash), thread,
                         placeText(crash));
    case CrashKind::OutOfMemory:
      return fmt::format("The process died for lack of memory: an unhandled {} on {}{}.", exceptionTypeText(crash),
                         thread, placeText(crash));
    case CrashKind::StackOverflow:
      return overflowSentence(crash, thread);
    case CrashKind::FailFast:
      return failFastSentence(crash, thread);
    case CrashKind::Signal:
      return signalSentence(crash, thread);
  }
  return livingSentence(crash);
}

std::vector<std::string> crashNotes(const Crash& crash) {
  std::vector<std::string> notes;
  const CrashCause& cause = crash.cause;
  if (cause.kind == CrashKind::Signal && cause.signal) {
    if (std::string note = signalNote(crash, crash.processId); !note.empty()) notes.push_back(std::move(note));
  } else if (cause.kind != CrashKind::None && cause.faultAddress) {
    notes.push_back(fmt::format("It touched {}.", toString(*cause.faultAddress)));
  }
  if (cause.kind != CrashKind::None && !cause.signal)
    notes.push_back("By which signal it ended the dump does not tell.");
  for (const OutOfMemoryRecord& record : crash.outOfMemory) notes.push_back(describe(record));
  if (crash.hardLimitBytes)
    notes.push_back(fmt::format("The heap was limited to {} (GCHeapHardLimit).", sizeText(*crash.hardLimitBytes)));
  return notes;
}

}  // namespace heapscape::engine
