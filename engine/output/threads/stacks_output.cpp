// SPDX-License-Identifier: MIT
#include "output/threads/stacks_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/figures.h"
#include "output/objects/exception_output.h"
#include "output/objects/value_output.h"
#include "output/text.h"
#include "session/stacks/folded_frames.h"

namespace heapscape::engine {
namespace {

void writeOptional(JsonWriter& json, std::string_view name, const std::string& text) {
  if (!text.empty()) json.member(name, text);
}

// SOS writes three on a line.
constexpr std::size_t kRegistersOnLine = 3;

/// Without those that may hold contents, where these are to be left out.
bool showsRegister(const RegisterRow& reg, bool isRedacted) {
  return !isRedacted || reg.isPlace;
}

void writeRegisters(JsonWriter& json, const std::vector<RegisterRow>& registers, bool isRedacted) {
  if (registers.empty()) return;
  json.key("registers");
  json.beginObject();
  for (const RegisterRow& reg : registers) {
    if (showsRegister(reg, isRedacted)) json.member(reg.name, toString(Address{reg.value}));
  }
  json.endObject();
}

void writeVariable(JsonWriter& json, const VariableRow& variable, bool isRedacted) {
  json.beginObject();
  json.member("name", variable.name.empty() ? std::nullopt : std::optional(variable.name));
  json.member("index", variable.index);
  json.member("kind", variable.isParameter ? "parameter" : "local");
  json.member("type", variable.value.typeName);
  json.member("size", variable.value.sizeBytes);
  if (variable.value.address) json.member("address", variable.value.address);
  writeOptional(json, "register", variable.reg);
  if (variable.target) json.member("target", variable.target);
  json.member("valueKind", toString(variable.value.value.kind));
  writeWhatItIs(json, variable.value.value, isRedacted);
  if (!variable.value.nested.empty()) writeFieldValues(json, "nested", variable.value.nested, isRedacted);
  json.member("exact", variable.isTypeExact && variable.problem.empty());
  writeOptional(json, "problem", variable.problem);
  json.endObject();
}

/// Written frames of a thread, and how many are neither written nor stood for.
struct SelectedFrames {
  std::vector<WrittenFrame> written;
  std::uint64_t leftOut = 0;
};

std::vector<FrameRun> runsOf(const ThreadStackRow& row, const FrameSelection& selection) {
  if (selection.isFolded) return foldedFrames(row.frames);
  return {{.first = 0, .count = static_cast<std::uint32_t>(row.frames.size())}};
}

SelectedFrames selectedOf(const std::vector<FrameRun>& runs, const ThreadStackRow& row,
                          const FrameSelection& selection) {
  SelectedFrames selected{writtenFrames(runs), row.frames.size()};
  selected.written.resize(std::min(selected.written.size(), selection.rows.limit));
  for (const WrittenFrame& frame : selected.written) selected.leftOut -= frame.times;
  return selected;
}

void writeFrame(JsonWriter& json, const FrameRow& frame, const WrittenFrame& written, bool isRedacted) {
  json.beginObject();
  json.member("kind", toString(frame.kind));
  json.member("ip", frame.instruction);
  json.member("sp", frame.stackPointer);
  json.member("method", frame.method.empty() ? std::nullopt : std::optional(methodOf(frame) + frame.parameters));
  json.member("methodDesc", frame.methodDesc);
  if (frame.kind == FrameKind::Runtime) json.member("frame", frame.origin);
  if (frame.kind == FrameKind::Native) json.member("module", frame.origin);
  if (frame.kind == FrameKind::Managed) {
    json.member("assembly", frame.origin);
    if (frame.isFunclet) json.member("funclet", true);
    json.member("ilOffset", frame.ilOffset);
    json.member("file", frame.file.empty() ? std::optional<std::string>() : frame.file);
    json.member("line", frame.line ? std::optional(frame.line) : std::nullopt);
    writeOptional(json, "exception", frame.exception);
  }
  json.member("exact", frame.isExact);
  writeOptional(json, "problem", frame.problem);
  writeRegisters(json, frame.registers, isRedacted);
  if (!frame.variables.empty()) {
    json.key("variables");
    json.beginRows();
    for (const VariableRow& variable : frame.variables) writeVariable(json, variable, isRedacted);
    json.endArray();
  }
  if (written.times > 1) json.member("times", written.times);
  if (written.unit > 1) json.member("unit", written.unit);
  if (written.isMixed) json.member("mixed", true);
  json.endObject();
}

void writeRoot(JsonWriter& json, const StackRootRow& root, std::uint32_t frame) {
  json.beginObject();
  json.member("frame", frame);
  if (root.reg.empty()) {
    json.member("slot", root.slot);
  } else {
    json.member("register", root.reg);
    if (root.slot) json.member("savedAt", root.slot);
  }
  writeOptional(json, "variable", root.variable);
  json.member("object", root.value);
  json.member("type", root.typeName);
  json.member("interior", root.isInterior);
  json.member("pinned", root.isPinned);
  json.member("exact", root.isExact);
  json.endObject();
}

void writeSelected(JsonWriter& json, const ThreadStackRow& row, const SelectedFrames& selected, bool isRedacted) {
  json.member("frameCount", std::uint64_t{row.frames.size()});
  if (selected.leftOut > 0) json.member("framesLeftOut", selected.leftOut);
  json.key("frames");
  json.beginRows();
  for (const WrittenFrame& frame : selected.written) writeFrame(json, row.frames[frame.frame], frame, isRedacted);
  json.endArray();
}

void writeStack(JsonWriter& json, const ThreadStackRow& row, const FrameSelection& selection) {
  const SelectedFrames selected = selectedOf(runsOf(row, selection), row, selection);
  json.beginObject();
  json.member("managedId", row.managedId);
  json.member("osId", row.osId);
  json.member("name", selection.rows.isRedacted ? std::string() : row.name);
  json.member("address", row.thread);
  json.member("cooperative", row.isCooperative);
  json.member("complete", row.isComplete);
  writeOptional(json, "problem", row.problem);
  writeOptional(json, "doing", row.doing);
  writeRegisters(json, row.registers, selection.rows.isRedacted);
  writeSelected(json, row, selected, selection.rows.isRedacted);
  json.member("rootCount", std::uint64_t{row.roots.size()});
  json.key("roots");
  json.beginRows();
  for (std::uint32_t i = 0; i < selected.written.size(); ++i) {
    const FrameRow& frame = row.frames[selected.written[i].frame];
    for (std::uint32_t root = frame.firstRoot; root < frame.firstRoot + frame.rootCount; ++root)
      writeRoot(json, row.roots[root], i);
  }
  json.endArray();
  if (!row.exceptions.empty()) {
    json.key("exceptions");
    json.beginRows();
    for (const ExceptionInFlight& flight : row.exceptions) {
      json.beginObject();
      json.member("state", flight.state);
      // Among those that are written; of frames that repeat one stands for all.
      const auto written = std::ranges::find_if(
          selected.written, [&](const WrittenFrame& frame) { return flight.frame && frame.frame == *flight.frame; });
      json.member("frame", written == selected.written.end() ? std::optional<std::uint64_t>()
                                                             : std::uint64_t(written - selected.written.begin()));
      writeExceptionMembers(json, flight.exception, selection.rows.isRedacted);
      json.endObject();
    }
    json.endArray();
  }
  json.endObject();
}

void writeThreads(JsonWriter& json, const StackList& list, const std::vector<std::uint32_t>& threads) {
  json.key("threads");
  json.beginArray();
  for (const std::uint32_t thread : threads) json.value(list.threads[thread].managedId);
  json.endArray();
}

std::string placeOf(const StackRootRow& root) {
  const std::string place = !root.reg.empty() ? root.reg : toString(root.slot);
  return root.variable.empty() ? place : fmt::format("{} ({})", root.variable, place);
}

std::string targetOf(const StackRootRow& root) {
  if (!root.object || root.typeName.empty()) return toString(root.value);
  return root.value == root.object
             ? fmt::format("{} {}", toString(root.object), root.typeName)
             : fmt::format("{} in {} {}", toString(root.value), toString(root.object), root.typeName);
}

std::string sourceOf(const FrameRow& frame) {
  return frame.file.empty() ? std::string() : fmt::format("  {}:{}", frame.file, frame.line);
}

void writeRegisters(Output& output, std::string_view indent, const std::vector<RegisterRow>& registers,
                    bool isRedacted) {
  std::size_t column = 0;
  for (const RegisterRow& reg : registers) {
    if (!showsRegister(reg, isRedacted)) continue;
    output.write(fmt::format("{}{:>3}={:016x}", column == 0 ? indent : " ", reg.name, reg.value));
    column = (column + 1) % kRegistersOnLine;
    if (column == 0) output.write("\n");
  }
  if (column != 0) output.write("\n");
}

std::string placeOf(const VariableRow& variable) {
  const std::string place = !variable.reg.empty()    ? variable.reg
                            : variable.value.address ? toString(variable.value.address)
                                                     : std::string();
  return place.empty() ? place : fmt::format(" ({})", place);
}

// A heading before the first parameter, and another before the first local, as SOS has them.
void writeVariables(Output& output, const std::vector<VariableRow>& variables, bool isRedacted) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const VariableRow& variable = variables[i];
    if (i == 0 || variables[i - 1].isParameter != variable.isParameter)
      output.write(variable.isParameter ? "      PARAMETERS:\n" : "      LOCALS:\n");
    const std::string name = !variable.name.empty() ? variable.name
                             : variable.isParameter ? fmt::format("parameter {}", variable.index)
                                                    : fmt::format("local {}", variable.index);
    const Value& held = variable.value.value;
    // The address of a reference is known even if its object is not there.
    const std::string value = variable.problem.empty() ? valueText(held, isRedacted)
                              : held.object            ? fmt::format("{} ({})", toString(held.object), variable.problem)
                                                       : "<no data> " + variable.problem;
    output.write(fmt::format("          {}{}: {} = {}{}{}\n", name, placeOf(variable), variable.value.typeName, value,
                             variable.target ? fmt::format(" at {}", toString(variable.target)) : std::string(),
                             variable.isTypeExact ? "" : "  (the exact type is not known)"));
  }
}

void writeFrame(Output& output, const ThreadStackRow& row, const FrameRow& frame, std::string_view share,
                bool isRedacted) {
  output.write(fmt::format("  {}{} {} {}{}{}\n", share, toString(frame.stackPointer), toString(frame.instruction),
                           nameOf(frame), sourceOf(frame), frame.isExact ? "" : "  (references not exact)"));
  if (!frame.exception.empty()) output.write(fmt::format("      {}\n", frame.exception));
  writeRegisters(output, "      ", frame.registers, isRedacted);
  writeVariables(output, frame.variables, isRedacted);
  for (std::uint32_t i = frame.firstRoot; i < frame.firstRoot + frame.rootCount; ++i) {
    const StackRootRow& root = row.roots[i];
    output.write(fmt::format("      {} = {}{}{}\n", placeOf(root), targetOf(root), root.isInterior ? ", interior" : "",
                             root.isPinned ? ", pinned" : ""));
  }
}

// Above the frames of a run.
std::string headOf(const FrameRun& run) {
  if (!run.mix.empty())
    return fmt::format("  {} of {} that call each other in no order, each method once:\n", countOf(run.count, "frame"),
                       countOf(run.mix.size(), "method"));
  return fmt::format("  {} times, {} in all:\n", readableCount(run.times), countOf(run.count, "frame"));
}

void writeExceptions(Output& output, const ThreadStackRow& row, bool isRedacted) {
  if (row.exceptions.size() > 1) output.write("  Exceptions in flight, the latest first:\n");
  for (const ExceptionInFlight& flight : row.exceptions) {
    const ExceptionDetails& exception = flight.exception;
    const bool hasMessage = !isRedacted && !exception.message.empty();
    output.write(fmt::format("  {} {}{} ({})\n", exception.type.empty() ? "An exception" : exception.type,
                             toString(exception.object), hasMessage ? ": " + printable(exception.message) : "",
                             flight.state));
    for (const std::string& line : exceptionStackLines(exception)) output.write(fmt::format("      at {}\n", line));
  }
}

}  // namespace

void writeFrames(JsonWriter& json, const ThreadStackRow& row, const FrameSelection& selection) {
  writeSelected(json, row, selectedOf(runsOf(row, selection), row, selection), selection.rows.isRedacted);
}

void writeFrames(Output& output, const ThreadStackRow& row, const FrameSelection& selection) {
  const std::vector<FrameRun> runs = runsOf(row, selection);
  const SelectedFrames selected = selectedOf(runs, row, selection);
  auto next = selected.written.begin();
  for (const FrameRun& run : runs) {
    if (next == selected.written.end()) break;
    if (run.isFolded()) output.write(headOf(run));
    const std::uint32_t end = run.first + run.count;
    for (; next != selected.written.end() && next->frame >= run.first && next->frame < end; ++next) {
      const std::string share = next->isMixed     ? fmt::format("  {:>9} x ", readableCount(next->times))
                                : next->times > 1 ? "  "
                                                  : "";
      writeFrame(output, row, row.frames[next->frame], share, selection.rows.isRedacted);
    }
  }
  if (selected.leftOut > 0) output.write(fmt::format("  ... and {} more\n", countOf(selected.leftOut, "frame")));
}

void writeStacks(JsonWriter& json, const StackList& list, const FrameSelection& selection) {
  json.key("threads");
  json.beginRows();
  for (const ThreadStackRow& row : list.threads) writeStack(json, row, selection);
  json.endArray();
}

void writeParallelStacks(JsonWriter& json, const StackList& list, const ParallelStacks& stacks,
                         const std::vector<ActivityGroup>& activities) {
  json.key("parallel");
  json.beginRows();
  for (const ParallelFrame& frame : stacks.frames) {
    json.beginObject();
    json.member("parent", frame.parent == ParallelFrame::kNone ? std::nullopt : std::optional(frame.parent));
    json.member("name", frame.name);
    json.member("depth", frame.depth);
    json.member("count", std::uint64_t{frame.threads.size()});
    writeThreads(json, list, frame.threads);
    json.endObject();
  }
  json.endArray();
  json.key("activities");
  json.beginRows();
  for (const ActivityGroup& group : activities) {
    json.beginObject();
    json.member("doing", group.doing);
    writeThreads(json, list, group.threads);
    json.endObject();
  }
  json.endArray();
}

void writeStacksText(Output& output, const StackList& list, const FrameSelection& selection) {
  bool isFirst = true;
  for (const ThreadStackRow& row : list.threads) {
    if (!isFirst) output.write("\n");
    isFirst = false;
    output.write(fmt::format("Thread {} (OS id {}){}{}\n", row.managedId, row.osId,
                             row.name.empty() || selection.rows.isRedacted ? "" : fmt::format(" \"{}\"", row.name),
                             row.doing.empty() ? "" : fmt::format(": {}", row.doing)));
    writeRegisters(output, "  ", row.registers, selection.rows.isRedacted);
    writeFrames(output, row, selection);
    if (row.frames.empty()) output.write("  no managed frames\n");
    writeExceptions(output, row, selection.rows.isRedacted);
    if (!row.isComplete)
      output.write(
          fmt::format("  {}: {}\n", row.gap ? "Frames are missing" : "The stack ends here too early", row.problem));
  }
}

void writeParallelText(Output& output, const StackList& list, const ParallelStacks& stacks,
                       const std::vector<ActivityGroup>& activities) {
  for (const ActivityGroup& group : activities) {
    std::vector<std::uint32_t> ids;
    for (const std::uint32_t thread : group.threads) ids.push_back(list.threads[thread].managedId);
    output.write(fmt::format("{:>6} {}: {}\n", ids.size(), group.doing, fmt::join(ids, ", ")));
  }
  if (!activities.empty()) output.write("\n");
  // Parents stand before their children, but children need not follow them at once.
  std::vector<std::vector<std::uint32_t>> children(stacks.frames.size() + 1);
  for (std::uint32_t i = 0; i < stacks.frames.size(); ++i) {
    const std::uint32_t parent = stacks.frames[i].parent;
    children[parent == ParallelFrame::kNone ? stacks.frames.size() : parent].push_back(i);
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open;  // frame and indentation
  const auto push = [&](const std::vector<std::uint32_t>& frames, std::uint32_t depth) {
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) open.emplace_back(*frame, depth);
  };
  push(children.back(), 0);
  while (!open.empty()) {
    const auto [index, depth] = open.back();
    open.pop_back();
    const ParallelFrame& frame = stacks.frames[index];
    output.write(fmt::format("{:>6} {:{}}{}\n", frame.threads.size(), "", depth, frame.name));
    // Only where stacks part is there anything to see.
    push(children[index], depth + (children[index].size() > 1 ? 2 : 0));
  }
}

}  // namespace heapscape::engine
