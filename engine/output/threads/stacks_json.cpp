// SPDX-License-Identifier: MIT
#include "output/threads/stacks_json.h"

namespace heapscape::engine {
namespace {

void writeOptional(JsonWriter& json, std::string_view name, const std::string& text) {
  if (!text.empty()) json.member(name, text);
}

void writeFrame(JsonWriter& json, const FrameRow& frame) {
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
  json.endObject();
}

void writeRoot(JsonWriter& json, const StackRootRow& root) {
  json.beginObject();
  json.member("frame", root.frame);
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

void writeStack(JsonWriter& json, const ThreadStackRow& row, bool isRedacted) {
  json.beginObject();
  json.member("managedId", row.managedId);
  json.member("osId", row.osId);
  json.member("name", isRedacted ? std::string() : row.name);
  json.member("address", row.thread);
  json.member("cooperative", row.isCooperative);
  json.member("complete", row.isComplete);
  writeOptional(json, "problem", row.problem);
  writeOptional(json, "doing", row.doing);
  json.key("frames");
  json.beginRows();
  for (const FrameRow& frame : row.frames) writeFrame(json, frame);
  json.endArray();
  json.key("roots");
  json.beginRows();
  for (const StackRootRow& root : row.roots) writeRoot(json, root);
  json.endArray();
  json.endObject();
}

void writeThreads(JsonWriter& json, const StackList& list, const std::vector<std::uint32_t>& threads) {
  json.key("threads");
  json.beginArray();
  for (const std::uint32_t thread : threads) json.value(list.threads[thread].managedId);
  json.endArray();
}

}  // namespace

void writeStacks(JsonWriter& json, const StackList& list, const RowSelection& selection) {
  json.key("threads");
  json.beginRows();
  for (const ThreadStackRow& row : selection.of(list.threads)) writeStack(json, row, selection.isRedacted);
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

}  // namespace heapscape::engine
