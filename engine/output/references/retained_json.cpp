// SPDX-License-Identifier: MIT
#include "output/references/retained_json.h"

namespace heapscape::engine {

namespace {

void writeTotals(JsonWriter& json, const RetainedTotals& totals) {
  json.member("reachableObjects", totals.reachableObjects);
  json.member("reachableBytes", totals.reachableBytes);
  json.member("unreachableObjects", totals.unreachableObjects);
  json.member("unreachableBytes", totals.unreachableBytes);
}

}  // namespace

void writeRetained(JsonWriter& json, const Snapshot& snapshot, const RetainedList& list,
                   const RowSelection& selection) {
  json.key("retained");
  json.beginRows();
  for (const RetainedRow& row : selection.of(list.objects)) {
    json.beginObject();
    json.member("object", row.object);
    json.member("type", snapshot.typeName(row.type));
    json.member("bytes", row.bytes);
    json.member("retainedBytes", row.retainedBytes);
    json.member("retainedCount", row.retainedCount);
    json.member("dominator", row.dominator);
    json.endObject();
  }
  json.endArray();
  if (!list.types.empty()) {
    json.key("types");
    json.beginRows();
    for (const RetainedTypeRow& row : selection.of(list.types)) {
      json.beginObject();
      json.member("name", snapshot.typeName(row.type));
      json.member("methodTable", snapshot.types()[row.type.value].methodTable);
      json.member("count", row.instances);
      json.member("bytes", row.bytes);
      json.member("retainedBytes", row.retainedBytes);
      json.endObject();
    }
    json.endArray();
  }
  writeTotals(json, list.totals);
}

void writeRetainedSet(JsonWriter& json, const Snapshot& snapshot, const RetainedSet& set) {
  json.key("set");
  json.beginObject();
  json.member("objects", set.members.objects);
  json.member("bytes", set.members.bytes);
  json.member("retainedObjects", set.retained.objects);
  json.member("retainedBytes", set.retained.bytes);
  json.endObject();
  writeTotals(json, snapshot.retainedTotals());
}

}  // namespace heapscape::engine
