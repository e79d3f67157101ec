// SPDX-License-Identifier: MIT
#include "output/references/retained_output.h"

#include <fmt/format.h>

#include "output/table_output.h"
#include "output/text.h"
#include "tables/cut_tables.h"
#include "tables/retained_tables.h"

namespace heapscape::engine {
namespace {

Table largestOf(const Snapshot& snapshot, const RetainedList& list, bool byType) {
  return byType ? retainedTypesTable().with(listRetainedTypes(snapshot, list))
                : retainedTable().with(listRetained(snapshot, list));
}

}  // namespace

void writeRetainedTotals(JsonWriter& json, const RetainedTotals& totals) {
  json.member("reachableObjects", totals.reachableObjects);
  json.member("reachableBytes", totals.reachableBytes);
  json.member("unreachableObjects", totals.unreachableObjects);
  json.member("unreachableBytes", totals.unreachableBytes);
  json.member("garbageObjects", totals.garbageObjects());
  json.member("garbageBytes", totals.garbageBytes());
}

void writeRetained(JsonWriter& json, const Snapshot& snapshot, const RetainedList& list,
                   const RowSelection& selection) {
  writeTable(json, largestOf(snapshot, list, false), selection);
  if (!list.types.empty()) writeTable(json, largestOf(snapshot, list, true), selection);
  writeRetainedTotals(json, list.totals);
}

void writeRetainedSet(JsonWriter& json, const Snapshot& snapshot, const RetainedSet& set) {
  json.key("set");
  json.beginObject();
  json.member("objects", set.members.objects);
  json.member("bytes", set.members.bytes);
  json.member("retainedObjects", set.retained.objects);
  json.member("retainedBytes", set.retained.bytes);
  json.endObject();
  writeRetainedTotals(json, snapshot.retainedTotals());
}

void writeRetainedTsv(Output& output, const Snapshot& snapshot, const RetainedList& list, bool byType,
                      const RowSelection& selection) {
  writeTableTsv(output, largestOf(snapshot, list, byType), selection);
}

void writeRetainedSetTsv(Output& output, const RetainedSet& set) {
  writeTsvLine(output, {"objects", "bytes", "retainedObjects", "retainedBytes"});
  std::vector<std::string> figures;
  for (const Retained& part : {set.members, set.retained}) {
    figures.push_back(std::to_string(part.objects));
    figures.push_back(std::to_string(part.bytes));
  }
  writeTsvLine(output, figures);
}

void writeRetainedText(Output& output, const Snapshot& snapshot, const RetainedList& list, bool byType,
                       const RowSelection& selection) {
  writeTableText(output, largestOf(snapshot, list, byType), selection);
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

namespace {

Table objectsOf(const WhatIfAnswer& answer) {
  const RetainedList list{.objects = answer.objects, .types = {}, .totals = {}, .findings = {}};
  return retainedTable().with(listRetained(answer.whatIf.snapshot(), list));
}

Table typesOf(const WhatIfAnswer& answer) {
  return freedTypesTable().with(listFreedTypes(answer.whatIf.snapshot(), answer.types));
}

}  // namespace

void writeWhatIf(JsonWriter& json, const WhatIfAnswer& answer, const RowSelection& selection) {
  writeTable(json, cutsTable().over(answer.whatIf.cuts()), {.isRedacted = selection.isRedacted});
  json.key("freed");
  json.beginObject();
  json.member("objects", answer.whatIf.freed().objects);
  json.member("bytes", answer.whatIf.freed().bytes);
  json.endObject();
  writeTable(json, objectsOf(answer), selection);
  writeTable(json, typesOf(answer), selection);
  writeRetainedTotals(json, answer.whatIf.snapshot().retainedTotals());
}

void writeWhatIfTsv(Output& output, const WhatIfAnswer& answer, bool byType, const RowSelection& selection) {
  writeTableTsv(output, byType ? typesOf(answer) : objectsOf(answer), selection);
}

void writeWhatIfText(Output& output, const WhatIfAnswer& answer, bool byType, const RowSelection& selection) {
  const std::vector<CutShare>& cuts = answer.whatIf.cuts();
  writeTableText(output, cutsTable().over(cuts), {.isRedacted = selection.isRedacted});
  const Retained freed = answer.whatIf.freed();
  if (freed.objects == 0) {
    output.write("Nothing would be freed: something else holds all of it.\n");
    return;
  }
  output.write(fmt::format("{}{}, {} bytes, would be freed: {}% of what is live.\n\n",
                           cuts.size() > 1 ? "Together: " : "", countOf(freed.objects, "object"),
                           readableCount(freed.bytes),
                           percentOf(freed.bytes, answer.whatIf.snapshot().retainedTotals().reachableBytes)));
  writeTableText(output, byType ? typesOf(answer) : objectsOf(answer), selection);
}

}  // namespace heapscape::engine
