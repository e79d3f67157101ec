// SPDX-License-Identifier: MIT
#include "output/threads/crash_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "output/objects/exception_output.h"
#include "output/text.h"
#include "output/threads/stacks_output.h"
#include "session/threads/crash_cause.h"

namespace heapscape::engine {
namespace {

template <class Value>
std::optional<Value> orNull(const Value& value, bool isKnown) {
  return isKnown ? std::optional(value) : std::nullopt;
}

// As deep as the exceptions were read, which is bounded.
void writeExceptionWithCauses(JsonWriter& json, const ExceptionDetails& exception, bool isRedacted) {
  json.beginObject();
  json.member("address", exception.object);
  json.member("type", exception.type);
  json.member("message", orNull(exception.message, !isRedacted && !exception.message.empty()));
  json.key("hresult");
  json.number(fmt::to_string(exception.hresult));
  json.key("frames");
  writeExceptionFrames(json, exception);
  if (!isRedacted && !exception.remoteStackText.empty()) json.member("remoteStack", exception.remoteStackText);
  json.key("inner");
  if (exception.causes.empty()) {
    json.null();
  } else {
    writeExceptionWithCauses(json, exception.causes.front(), isRedacted);
  }
  if (!exception.innerExceptions.empty()) {
    json.key("innerExceptions");
    json.beginArray();
    for (const ExceptionDetails& cause : exception.causes) writeExceptionWithCauses(json, cause, isRedacted);
    json.endArray();
  }
  if (!exception.damage.empty()) json.member("damage", exception.damage);
  json.endObject();
}

void writeRepeated(JsonWriter& json, const Crash& crash) {
  json.key("repeated");
  json.beginArray();
  const auto write = [&](std::uint32_t first, std::uint32_t count, std::uint32_t times) {
    json.beginObject();
    json.key("methods");
    json.beginArray();
    for (std::uint32_t i = first; i < first + count; ++i)
      json.value(methodOf(crash.stack->frames[i]) + crash.stack->frames[i].parameters);
    json.endArray();
    json.member("times", times);
    json.endObject();
  };
  for (const FrameRun& run : crash.repeated()) {
    if (run.mix.empty()) write(run.first, run.unit(), run.times);
    for (const MethodShare& share : run.mix) write(share.frame, 1, share.times);
  }
  json.endArray();
}

/// Messages of assertions go on with the stack.
std::string firstLine(const std::string& message) {
  return printable(std::string_view(message).substr(0, message.find_first_of("\r\n")));
}

void writeMessageLines(Output& output, std::string_view message) {
  while (!message.empty()) {
    const std::size_t end = std::min(message.find('\n'), message.size());
    std::string_view line = message.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    output.write(fmt::format("  {}\n", printable(line)));
    message.remove_prefix(std::min(end + 1, message.size()));
  }
}

void writeExceptionLines(Output& output, const ExceptionDetails& exception, const std::string& title, bool isRedacted) {
  output.write(fmt::format("\n{} {} {} (HResult 0x{:08x})\n", title, printable(exception.type),
                           engine::toString(exception.object), static_cast<std::uint32_t>(exception.hresult)));
  if (!isRedacted) writeMessageLines(output, exception.message);
  for (const std::string& line : exceptionStackLines(exception))
    output.write(fmt::format("  {}{}\n", line.starts_with("---") ? "" : "at ", printable(line)));
  for (std::size_t i = 0; i < exception.causes.size(); ++i) {
    const std::string inner =
        exception.causes.size() == 1 ? "Inner exception" : fmt::format("Inner exception {}", i + 1);
    writeExceptionLines(output, exception.causes[i], inner, isRedacted);
  }
}

}  // namespace

void writeCrashCause(JsonWriter& json, const Crash& crash, bool isRedacted) {
  const CrashCause& cause = crash.cause;
  const bool isSignalKnown = cause.signal.has_value();
  json.member("kind", toString(cause.kind));
  json.member("state", toString(cause.state));
  json.member("living",
              cause.state == ProcessState::Unknown ? std::nullopt : std::optional(cause.state == ProcessState::Living));
  json.member("signal", isSignalKnown ? std::optional(static_cast<std::uint32_t>(cause.signal->number)) : std::nullopt);
  json.member("signalName", isSignalKnown ? std::optional(signalName(cause.signal->number)) : std::nullopt);
  json.key("signalCode");
  if (isSignalKnown && cause.signal->code) {
    json.number(fmt::to_string(*cause.signal->code));
  } else {
    json.null();
  }
  json.member("sender", isSignalKnown ? cause.signal->sender : std::nullopt);
  json.member("faultAddress", cause.faultAddress);
  json.member("osId", orNull(cause.osId, cause.osId != 0));
  json.member("managedId", orNull(crash.managedId, cause.thread != Address{}));
  json.member("threadName", orNull(crash.threadName, !isRedacted && !crash.threadName.empty()));
  if (cause.kind == CrashKind::FailFast) json.member("by", toString(crash.failFastBy));
  if (cause.kind == CrashKind::OutOfMemory) {
    json.key("failedAllocations");
    json.beginArray();
    for (const OutOfMemoryRecord& record : crash.outOfMemory) {
      json.beginObject();
      json.member("heap", record.heap);
      json.member("bytes", record.allocationBytes);
      json.member("reason", outOfMemoryReason(record.reason));
      json.endObject();
    }
    json.endArray();
    json.member("hardLimitBytes", crash.hardLimitBytes);
  }
  json.member("message", isRedacted ? std::optional<std::string>() : crash.message);
  json.member("summary", crashParagraph(crash, isRedacted));
}

void writeCrash(JsonWriter& json, const Crash& crash, const RowSelection& selection) {
  json.key("crash");
  json.beginObject();
  writeCrashCause(json, crash, selection.isRedacted);
  json.key("exception");
  if (crash.exception) {
    writeExceptionWithCauses(json, *crash.exception, selection.isRedacted);
  } else {
    json.null();
  }
  writeRepeated(json, crash);
  if (crash.stack) {
    json.member("complete", crash.stack->isComplete);
    writeFrames(json, *crash.stack, {.rows = selection});
  } else {
    json.key("frames");
    json.null();
  }
  json.endObject();
}

std::string crashParagraph(const Crash& crash, bool isRedacted) {
  std::string text = crashSentence(crash, !isRedacted);
  const auto add = [&](std::string_view sentence) {
    if (!text.ends_with('.') && !text.ends_with('!') && !text.ends_with('?')) text += '.';
    text += fmt::format(" {}", sentence);
  };
  const bool isFailFast = crash.cause.kind == CrashKind::FailFast;
  if (!isRedacted && crash.message && !crash.message->empty())
    add(fmt::format("It said: {}", firstLine(*crash.message)));
  // An assertion's exception says the same as its message.
  if (crash.exception && crash.failFastBy == FailFastBy::Program) {
    const std::string message = isRedacted ? std::string() : firstLine(crash.exception->message);
    if (isFailFast)
      add(fmt::format("Behind it is {}{}{}", crash.exception->type, message.empty() ? "" : ": ", message));
    if (!isFailFast && !message.empty()) add(fmt::format("It says: {}", message));
  }
  for (const std::string& note : crashNotes(crash)) add(note);
  return text;
}

void writeCrashText(Output& output, const Crash& crash, const RowSelection& selection) {
  output.write(crashParagraph(crash, selection.isRedacted));
  output.write('\n');
  if (crash.message && !selection.isRedacted && crash.message->find('\n') != std::string::npos) {
    output.write("\nIts message\n");
    writeMessageLines(output, *crash.message);
  }
  if (crash.exception) writeExceptionLines(output, *crash.exception, "Exception", selection.isRedacted);
  if (!crash.stack) return;
  const ThreadStackRow& stack = *crash.stack;
  output.write(fmt::format(
      "\nThread {}{}\n", crash.managedId,
      crash.threadName.empty() || selection.isRedacted ? "" : fmt::format(" \"{}\"", printable(crash.threadName))));
  writeFrames(output, stack, {.rows = selection});
  if (stack.frames.empty()) output.write("  no managed frames\n");
  if (!stack.isComplete) output.write(fmt::format("  The stack ends here too early: {}\n", stack.problem));
}

}  // namespace heapscape::engine
