// SPDX-License-Identifier: MIT
#include "output/objects/exception_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/figures.h"
#include "output/text.h"

namespace heapscape::engine {
namespace {

// As .NET has it.
constexpr const char* kEndOfEarlier = "--- End of stack trace from previous location ---";

void writeExceptionFact(Output& output, std::string_view name, const std::string& text) {
  output.write(fmt::format("{:<14}{}\n", name, printable(text)));
}

void writeExceptionLines(Output& output, std::string_view name, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string line(text.substr(0, end));
    if (line.ends_with('\r')) line.pop_back();
    writeExceptionFact(output, name, line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string lineOfFrame(const ExceptionDetails::Frame& frame) {
  if (frame.method.empty()) return toString(frame.instruction);
  const std::string source = frame.file.empty() ? "" : fmt::format("  {}:{}", frame.file, frame.line);
  return fmt::format("{} + 0x{:x}{}", frame.method, frame.offset, source);
}

void writeExceptionBody(Output& output, const ExceptionDetails& exception, bool redact) {
  const char* leftOut = "(redacted)";
  writeExceptionFact(output, "message", redact ? leftOut : exception.message);
  writeExceptionFact(output, "HResult", fmt::format("0x{:08x}", static_cast<std::uint32_t>(exception.hresult)));
  if (exception.inner) writeExceptionFact(output, "inner", toString(exception.inner) + " " + exception.innerType);
  for (const Address inner : exception.innerExceptions) writeExceptionFact(output, "one of", toString(inner));
  if (!exception.remoteStackText.empty())
    writeExceptionLines(output, "carried over", redact ? leftOut : exception.remoteStackText);
  for (const std::string& line : exceptionStackLines(exception))
    writeExceptionFact(output, line == kEndOfEarlier ? "" : "at", line);
}

void writeCauses(Output& output, const ExceptionDetails& exception, const std::string& number, bool redact) {
  for (std::size_t i = 0; i < exception.causes.size(); ++i) {
    const ExceptionDetails& cause = exception.causes[i];
    const std::string own = fmt::format("{}{}", number, i + 1);
    output.write(fmt::format("\nCause {}: {} {}\n", own, cause.type, toString(cause.object)));
    writeExceptionBody(output, cause, redact);
    writeCauses(output, cause, own + ".", redact);
  }
}

}  // namespace

void writeExceptionFrames(JsonWriter& json, const ExceptionDetails& exception) {
  json.beginArray();
  for (const ExceptionDetails::Frame& frame : exception.stack) {
    json.beginObject();
    json.member("ip", frame.instruction);
    json.member("sp", frame.stackPointer);
    json.member("method", frame.method);
    json.member("methodDesc", frame.methodDesc);
    json.member("offset", frame.offset);
    json.member("ilOffset", frame.ilOffset);
    json.member("file", frame.file.empty() ? std::optional<std::string>() : frame.file);
    json.member("line", frame.line ? std::optional(frame.line) : std::nullopt);
    if (frame.isLastOfEarlier) json.member("endOfEarlierTrace", true);
    json.endObject();
  }
  json.endArray();
}

void writeExceptionMembers(JsonWriter& json, const ExceptionDetails& exception, bool redact) {
  json.member("address", exception.object);
  json.member("type", exception.type);
  if (!redact) json.member("message", exception.message);
  json.key("hresult");
  json.number(fmt::to_string(exception.hresult));
  json.member("inner", exception.inner);
  json.member("innerType", exception.innerType);
  json.key("innerExceptions");
  json.beginArray();
  for (const Address inner : exception.innerExceptions) json.value(inner);
  json.endArray();
  json.key("stack");
  writeExceptionFrames(json, exception);
  if (exception.framesLeftOut()) json.member("framesLeftOut", exception.framesLeftOut());
  if (!redact) json.member("remoteStack", exception.remoteStackText);
  json.key("causes");
  json.beginArray();
  for (const ExceptionDetails& cause : exception.causes) {
    json.beginObject();
    writeExceptionMembers(json, cause, redact);
    json.endObject();
  }
  json.endArray();
  if (!exception.damage.empty()) json.member("damage", exception.damage);
}

std::vector<std::string> exceptionStackLines(const ExceptionDetails& exception) {
  std::vector<std::string> lines;
  std::size_t repeats = 0;  // of the last line
  const auto tellRepeats = [&] {
    if (repeats > 0) lines.push_back(fmt::format("  and {} more like it", countOf(repeats, "frame")));
    repeats = 0;
  };
  std::string before, line;
  for (const ExceptionDetails::Frame& frame : exception.stack) {
    line = lineOfFrame(frame);
    if (line == before) {
      ++repeats;
    } else {
      tellRepeats();
      lines.push_back(line);
    }
    before = line;
    // As .NET does: where an async method awaits another, everybody knows how the trace goes on.
    if (!frame.isLastOfEarlier || frame.isAsync) continue;
    tellRepeats();
    lines.emplace_back(kEndOfEarlier);
    before.clear();
  }
  tellRepeats();
  if (const std::uint64_t more = exception.framesLeftOut())
    lines.push_back(fmt::format("and {} more", countOf(more, "frame")));
  return lines;
}

void writeExceptionText(Output& output, const ExceptionDetails& exception, bool redact) {
  output.write("\nException\n");
  writeExceptionBody(output, exception, redact);
  writeCauses(output, exception, {}, redact);
}

}  // namespace heapscape::engine
