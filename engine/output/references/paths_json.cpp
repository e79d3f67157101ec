// SPDX-License-Identifier: MIT
#include "output/references/paths_json.h"

#include "session/references/retained_query.h"

namespace heapscape::engine {
namespace {

void writeRoot(JsonWriter& json, const Snapshot& snapshot, std::uint32_t index, const RowSelection& selection) {
  const RootRow& root = snapshot.roots().roots[index];
  json.key("root");
  json.beginObject();
  json.member("kind", toString(root.kind));
  json.member("address", root.address);
  json.member("object", root.object);
  json.member("name", selection.isRedacted && root.kind == RootKind::Stack ? std::string("stack") : root.name);
  json.member("exact", root.isExact);
  json.member("retainedBytes", retainedByRoot(snapshot, index).bytes);
  json.endObject();
}

/// Of a RootPath or an ObjectPath.
template <class Path>
void writeWay(JsonWriter& json, const Snapshot& snapshot, const Path& path, const RowSelection& selection) {
  json.member("length", path.length);
  json.member("expression", selection.isRedacted ? path.redactedExpression : path.expression);
  json.key("steps");
  json.beginArray();
  for (const PathStep& step : path.steps) {
    json.beginObject();
    json.member("object", step.object);
    json.member("type", snapshot.typeName(step.type));
    json.member("via", step.via);
    json.member("retainedBytes", step.retainedBytes);
    json.endObject();
  }
  json.endArray();
  if (path.stepsLeftOut == 0) return;
  json.member("stepsLeftOut", path.stepsLeftOut);
  json.member("leftOutAfter", path.leftOutAfter);
}

}  // namespace

void writePaths(JsonWriter& json, const Snapshot& snapshot, const PathsAnswer& answer, const RowSelection& selection) {
  json.member("object", answer.object);
  json.member("reachable", answer.paths.isReachable);
  json.member("exhausted", answer.paths.isExhausted);
  json.key("paths");
  json.beginRows();
  for (const RootPath& path : answer.paths.paths) {
    json.beginObject();
    writeRoot(json, snapshot, path.root, selection);
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
  if (path.length == 0) return json.null();
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

}  // namespace heapscape::engine
