// SPDX-License-Identifier: MIT
#include "output/references/retained_output.h"

#include <fmt/format.h>

#include "output/text.h"
#include "output/text_table.h"

namespace heapscape::engine {
namespace {

void writeTotals(JsonWriter& json, const RetainedTotals& totals) {
  json.member("reachableObjects", totals.reachableObjects);
  json.member("reachableBytes", totals.reachableBytes);
  json.member("unreachableObjects", totals.unreachableObjects);
  json.member("unreachableBytes", totals.unreachableBytes);
}

using Align = TextTable::Align;

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

void writeRetainedText(Output& output, const Snapshot& snapshot, const RetainedList& list, bool byType,
                       const RowSelection& selection) {
  if (byType) {
    TextTable table({{"Retained", Align::Right}, {"Objects", Align::Right}, {"Bytes", Align::Right}, {"Type"}});
    for (const RetainedTypeRow& row : selection.of(list.types)) {
      table.addRow({readableBytes(row.retainedBytes), readableCount(row.instances), readableBytes(row.bytes),
                    snapshot.typeName(row.type)});
    }
    table.write(output);
  } else {
    TextTable table(
        {{"Retained", Align::Right}, {"Objects", Align::Right}, {"Bytes", Align::Right}, {"Address"}, {"Type"}});
    for (const RetainedRow& row : selection.of(list.objects)) {
      table.addRow({readableBytes(row.retainedBytes), readableCount(row.retainedCount), readableBytes(row.bytes),
                    toString(row.object), snapshot.typeName(row.type)});
    }
    table.write(output);
  }
  output.write(fmt::format("Reachable: {}, {} bytes. Unreachable: {}, {} bytes.\n",
                           countOf(list.totals.reachableObjects, "object"), readableCount(list.totals.reachableBytes),
                           countOf(list.totals.unreachableObjects, "object"),
                           readableCount(list.totals.unreachableBytes)));
}

void writeRetainedSetText(Output& output, const RetainedSet& set) {
  output.write(fmt::format("{}, {} bytes, retain {}, {} bytes, themselves included.\n",
                           countOf(set.members.objects, "object"), readableCount(set.members.bytes),
                           countOf(set.retained.objects, "object"), readableCount(set.retained.bytes)));
}

}  // namespace heapscape::engine
