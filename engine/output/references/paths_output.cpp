// SPDX-License-Identifier: MIT
#include "output/references/paths_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "output/table_output.h"
#include "output/text.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "tables/path_tables.h"

namespace heapscape::engine {
namespace {

void writeRoot(JsonWriter& json, const Snapshot& snapshot, std::uint32_t index, const RowSelection& selection) {
  const RootRow& root = snapshot.roots().roots[index];
  json.beginObject();
  json.member("kind", toString(root.kind));
  json.key("address");
  snapshot.isRecorded() ? json.null() : json.value(root.address);
  json.member("object", root.object);
  json.member("name", selection.isRedacted && root.kind == RootKind::Stack ? std::string("stack") : root.name);
  json.member("exact", root.isExact);
  json.member("retainedBytes", retainedByRoot(snapshot, index).bytes);
  json.endObject();
}

void writeRoots(JsonWriter& json, const Snapshot& snapshot, const RootPath& path, const RowSelection& selection) {
  json.key("root");
  writeRoot(json, snapshot, path.root, selection);
  json.member("otherRootCount", path.otherRootCount);
  if (path.otherRoots.empty()) return;
  json.key("otherRoots");
  json.beginArray();
  for (const std::uint32_t root : path.otherRoots) writeRoot(json, snapshot, root, selection);
  json.endArray();
}

/// Writes a RootPath or an ObjectPath.
template <class Path>
void writeWay(JsonWriter& json, const Snapshot& snapshot, const Path& path, const RowSelection& selection) {
  json.member("length", path.length);
  json.member("expression", selection.isRedacted ? path.redactedExpression : path.expression);
  writeTable(json, stepsTable().with(listSteps(snapshot, path)), {});
  if (path.stepsLeftOut == 0) return;
  json.member("stepsLeftOut", path.stepsLeftOut);
  json.member("leftOutAfter", path.leftOutAfter);
}

using Align = TextTable::Align;

constexpr std::size_t kDeepestIndent = 20;  // steps; further ones stand below each other

std::string shownType(const Snapshot& snapshot, TypeId type) {
  return type.isNone() ? "?" : snapshot.typeName(type);
}

std::string markedName(const RootRow& root, const RowSelection& selection) {
  if (selection.isRedacted && root.kind == RootKind::Stack) return "stack";
  return root.isExact ? root.name : root.name + " (may be no reference)";
}

bool isHandle(const RootRow& root) {
  switch (root.kind) {
    case RootKind::StrongHandle:
    case RootKind::PinnedHandle:
    case RootKind::RefCountedHandle:
    case RootKind::AsyncPinnedHandle:
    case RootKind::SizedRefHandle:
    case RootKind::DependentHandle:
      return true;
    default:
      return false;
  }
}

/// "  (held by 3 handles)" where more than one root leads to the first object; empty for one.
std::string heldByText(const Snapshot& snapshot, const RootPath& path) {
  if (path.otherRootCount == 0) return {};
  const std::vector<RootRow>& roots = snapshot.roots().roots;
  const bool areHandles =
      isHandle(roots[path.root]) && path.otherRoots.size() == path.otherRootCount &&
      std::ranges::all_of(path.otherRoots, [&](std::uint32_t root) { return isHandle(roots[root]); });
  return fmt::format("  (held by {})", countOf(path.otherRootCount + 1, areHandles ? "handle" : "root"));
}

void addOtherRoots(TextTable& table, const Snapshot& snapshot, const RootPath& path, const RowSelection& selection) {
  for (const std::uint32_t index : path.otherRoots) {
    const RootRow& root = snapshot.roots().roots[index];
    table.addRow({"", root.address ? toString(root.address) : "", "also " + markedName(root, selection)});
  }
  if (path.otherRoots.size() < path.otherRootCount)
    table.addRow({"", "", fmt::format("also {} more", readableCount(path.otherRootCount - path.otherRoots.size()))});
}

std::string indented(std::uint64_t depth, const std::string& text) {
  return std::string(2 * std::min<std::uint64_t>(depth, kDeepestIndent), ' ') + text;
}

std::string headline(const Snapshot& snapshot, Address object) {
  const auto row = objectAt(snapshot, object);
  return fmt::format("{} at {}", row ? shownType(snapshot, row->type) : "?", toString(object));
}

/// Rows for the steps of a RootPath or an ObjectPath, indented from `depth` on.
template <class Path>
void addSteps(TextTable& table, const Snapshot& snapshot, const Path& path, std::uint64_t depth) {
  for (std::uint64_t i = 0; i < path.steps.size(); ++i) {
    const PathStep& step = path.steps[i];
    if (path.stepsLeftOut && i == path.leftOutAfter)
      table.addRow({"", "", indented(depth + i, fmt::format("… {} …", countOf(path.stepsLeftOut, "step")))});
    const std::string type = shownType(snapshot, step.type);
    table.addRow({readableBytes(step.retainedBytes), toString(step.object),
                  indented(depth + i, step.via.empty() ? type : step.via + "  " + type)});
  }
}

TextTable stepTable() {
  return TextTable({{"Retained", Align::Right}, {"Address"}, {"Field or element, and what it holds"}});
}

}  // namespace

void writePaths(JsonWriter& json, const Snapshot& snapshot, const PathsAnswer& answer, const RowSelection& selection) {
  json.member("object", answer.object);
  json.member("reachable", answer.paths.isReachable);
  json.member("exhausted", answer.paths.isExhausted);
  if (answer.isWithout) json.member("freed", answer.paths.isFreed);
  json.key("paths");
  json.beginRows();
  for (const RootPath& path : answer.paths.paths) {
    json.beginObject();
    writeRoots(json, snapshot, path, selection);
    writeWay(json, snapshot, path, selection);
    json.endObject();
  }
  json.endArray();
}

void writePathsOfAll(JsonWriter& json, const Snapshot& snapshot, const std::vector<PathsAnswer>& answers,
                     const RowSelection& selection) {
  json.key("objects");
  json.beginRows();
  for (const PathsAnswer& answer : answers) {
    json.beginObject();
    json.member("seconds", answer.seconds);
    writePaths(json, snapshot, answer, selection);
    json.endObject();
  }
  json.endArray();
}

void writePathBetween(JsonWriter& json, const Snapshot& snapshot, const ObjectPath& path,
                      const RowSelection& selection) {
  json.key("path");
  if (path.length == 0) {
    json.null();
    return;
  }
  json.beginObject();
  writeWay(json, snapshot, path, selection);
  json.endObject();
}

void writeMergedPaths(JsonWriter& json, const Snapshot& snapshot, TypeId type, const MergedPaths& merged,
                      const RowSelection& selection) {
  json.key("merged");
  json.beginObject();
  json.member("type", snapshot.typeName(type));
  json.member("objects", merged.objects);
  json.member("unreachable", merged.unreachable);
  json.key("nodes");
  json.beginRows();
  for (const MergedPathNode& node : merged.nodes) {
    json.beginObject();
    json.member("parent", std::uint64_t{node.parent});
    const bool isStack = node.isRoot && snapshot.roots().roots[node.root].kind == RootKind::Stack;
    json.member("name", selection.isRedacted && isStack ? std::string("stack") : node.name);
    if (node.isRoot) {
      json.member("root", toString(snapshot.roots().roots[node.root].kind));
    } else {
      json.member("via", node.via);
      json.member("run", node.isRun);
    }
    json.member("objects", node.objects);
    json.member("holders", node.holders);
    json.member("bytes", node.bytes);
    json.endObject();
  }
  json.endArray();
  json.endObject();
}

void writePathsText(Output& output, const Snapshot& snapshot, const PathsAnswer& answer,
                    const RowSelection& selection) {
  const RootPathList& list = answer.paths;
  output.write(printable(headline(snapshot, answer.object)));
  if (!list.isReachable) {
    output.write(list.isGarbage ? " is garbage: no root leads to it.\n"
                                : " is frozen and never collected, though no root leads to it.\n");
    return;
  }
  if (list.isFreed) {
    output.write(" would be freed.\n");
    return;
  }
  output.write(fmt::format(" {} held by {}{}.\n", answer.isWithout ? "would still be" : "is",
                           list.isExhausted ? "" : "at least ", countOf(list.paths.size(), "root object")));
  std::size_t number = 0;
  for (const RootPath& path : list.paths) {
    output.write(fmt::format("\n{}. {}{}\n", ++number,
                             printable(selection.isRedacted ? path.redactedExpression : path.expression),
                             heldByText(snapshot, path)));
    TextTable table = stepTable();
    const RootRow& root = snapshot.roots().roots[path.root];
    table.addRow({readableBytes(retainedByRoot(snapshot, path.root).bytes), root.address ? toString(root.address) : "",
                  markedName(root, selection)});
    addOtherRoots(table, snapshot, path, selection);
    addSteps(table, snapshot, path, 1);
    table.write(output);
  }
}

void writePathsOfAllText(Output& output, const Snapshot& snapshot, const std::vector<PathsAnswer>& answers,
                         const RowSelection& selection) {
  TextTable table(
      {{"Seconds", Align::Right}, {"Paths", Align::Right}, {"Length", Align::Right}, {"Object"}, {"Shortest"}});
  for (const PathsAnswer& answer : answers) {
    const RootPathList& list = answer.paths;
    const RootPath* first = list.paths.empty() ? nullptr : &list.paths.front();
    std::string shortest = list.isFreed ? "would be freed" : list.isGarbage ? "garbage" : "frozen, unreferenced";
    if (first) shortest = selection.isRedacted ? first->redactedExpression : first->expression;
    table.addRow({fmt::format("{:.6f}", answer.seconds),
                  fmt::format("{}{}", readableCount(list.paths.size()), list.isExhausted ? "" : "+"),
                  readableCount(first ? first->length : 0), headline(snapshot, answer.object), shortest});
  }
  table.write(output);
}

void writePathBetweenText(Output& output, const Snapshot& snapshot, const ObjectPath& path,
                          const RowSelection& selection) {
  if (path.length == 0) {
    output.write("No way leads there.\n");
    return;
  }
  output.write(fmt::format("{}\n{}, {}\n", printable(selection.isRedacted ? path.redactedExpression : path.expression),
                           countOf(path.length, "object"), countOf(path.length - 1, "step")));
  TextTable table = stepTable();
  addSteps(table, snapshot, path, 0);
  table.write(output);
}

void writeMergedPathsText(Output& output, const Snapshot& snapshot, TypeId type, const MergedPaths& merged,
                          const RowSelection& selection) {
  output.write(fmt::format("{}: {} live, {} garbage{}\n", printable(shownType(snapshot, type)),
                           countOf(merged.objects, "object"), readableCount(merged.unreachable - merged.frozen),
                           merged.frozen ? fmt::format(", {} frozen", readableCount(merged.frozen)) : ""));
  std::vector<std::vector<std::uint32_t>> children(merged.nodes.size());
  for (std::uint32_t i = 1; i < merged.nodes.size(); ++i) children[merged.nodes[i].parent].push_back(i);
  TextTable table({{"Objects", Align::Right}, {"Bytes", Align::Right}, {"Holders", Align::Right}, {"Held by"}});
  std::vector<std::pair<std::uint32_t, std::uint64_t>> waiting;  // nodes with their depth, the next one last
  if (!merged.nodes.empty()) waiting.push_back({0, 0});
  while (!waiting.empty()) {
    const auto [index, depth] = waiting.back();
    waiting.pop_back();
    const MergedPathNode& node = merged.nodes[index];
    std::string text = node.via.empty() ? node.name : node.name + "." + node.via;
    if (node.via.starts_with('[') || node.via.starts_with('(')) text = node.name + node.via;
    if (node.isRun) text += "…";
    const bool isStack = node.isRoot && snapshot.roots().roots[node.root].kind == RootKind::Stack;
    table.addRow({readableCount(node.objects), readableBytes(node.bytes), readableCount(node.holders),
                  indented(depth, selection.isRedacted && isStack ? "stack" : text)});
    for (auto child = children[index].rbegin(); child != children[index].rend(); ++child)
      waiting.push_back({*child, depth + 1});
  }
  table.write(output);
}

}  // namespace heapscape::engine
