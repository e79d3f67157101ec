// SPDX-License-Identifier: MIT
#include "output/insights/compare_json.h"

#include "insight/comparison/comparison_tables.h"
#include "output/table_output.h"

namespace heapscape::engine {
namespace {

void writeChange(JsonWriter& json, const std::string& name, const Change& change) {
  json.member(name + "Before", change.before);
  json.member(name + "After", change.after);
}

void writeSide(JsonWriter& json, const char* name, const Summary& summary) {
  json.key(name);
  json.beginObject();
  json.member("path", summary.dump.path);
  json.member("runtime", summary.runtime.version);
  json.member("kind", toString(summary.dump.kind));
  json.member("pid", summary.dump.pid);
  json.endObject();
}

void writeTotals(JsonWriter& json, const Comparison& comparison) {
  json.key("totals");
  json.beginObject();
  json.member("types", comparison.types.size());
  writeChange(json, "count", comparison.objects);
  writeChange(json, "bytes", comparison.bytes);
  writeChange(json, "retained", comparison.retainedBytes);
  writeChange(json, "waste", comparison.wasteBytes);
  writeChange(json, "leak", comparison.leakBytes);
  json.member("insightThreshold", comparison.insightThreshold);
  json.endObject();
}

}  // namespace

void writeComparison(JsonWriter& json, const Comparison& comparison, const RowSelection& selection) {
  writeSide(json, "before", comparison.before);
  writeSide(json, "after", comparison.after);
  writeTable(json, typeChangesTable().over(comparison.types), selection);
  writeTable(json, figureChangesTable().over(comparison.figures), {.isRedacted = selection.isRedacted});
  writeTable(json, insightChangesTable().over(comparison.insights), selection);
  writeTable(json, layoutChangesTable().over(comparison.layouts), selection);
  writeTotals(json, comparison);
}

}  // namespace heapscape::engine
