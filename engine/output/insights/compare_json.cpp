// SPDX-License-Identifier: MIT
#include "output/insights/compare_json.h"

#include "base/given_name.h"

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

void writeTypes(JsonWriter& json, const Comparison& comparison, const RowSelection& selection) {
  json.key("types");
  json.beginRows();
  for (const TypeChange& type : selection.of(comparison.types)) {
    json.beginObject();
    json.member("name", type.name);
    json.member("assembly", type.assembly);
    writeChange(json, "count", type.count);
    writeChange(json, "bytes", type.bytes);
    writeChange(json, "retained", type.retained);
    writeChange(json, "padding", type.padding);
    writeChange(json, "size", type.instanceBytes);
    json.member("new", type.isNew());
    json.member("gone", type.isGone());
    json.member("free", type.isFree);
    if (!type.perhapsWas.empty()) json.member("perhapsWas", type.perhapsWas);
    json.endObject();
  }
  json.endArray();
}

void writeFigures(JsonWriter& json, const Comparison& comparison) {
  json.key("figures");
  json.beginRows();
  for (const FigureChange& figure : comparison.figures) {
    json.beginObject();
    json.member("group", figure.group);
    json.member("name", figure.name);
    json.member("unit", figure.isBytes ? "bytes" : "count");
    json.member("before", figure.value.before);
    json.member("after", figure.value.after);
    json.endObject();
  }
  json.endArray();
}

void writeInsights(JsonWriter& json, const Comparison& comparison, const RowSelection& selection) {
  json.key("insights");
  json.beginRows();
  for (const InsightChange& insight : selection.of(comparison.insights)) {
    json.beginObject();
    json.member("kind", toString(insight.kind));
    json.member("meaning", toString(insight.meaning));
    json.member("title", withoutGivenNameIf(selection.isRedacted, insight.title));
    json.member("subject", withoutGivenNameIf(selection.isRedacted, insight.subject));
    if (!insight.contents.empty() && !selection.isRedacted) json.member("contents", insight.contents);
    writeChange(json, "bytes", insight.bytes);
    writeChange(json, "objects", insight.objects);
    json.endObject();
  }
  json.endArray();
}

void writeLayouts(JsonWriter& json, const Comparison& comparison, const RowSelection& selection) {
  json.key("layouts");
  json.beginRows();
  for (const LayoutChange& layout : selection.of(comparison.layouts)) {
    json.beginObject();
    json.member("type", layout.type);
    json.member("assembly", layout.assembly);
    json.member("methodTableBefore", layout.methodTableBefore);
    json.member("methodTableAfter", layout.methodTableAfter);
    writeChange(json, "size", layout.instanceBytes);
    writeChange(json, "padding", layout.paddingBytes);
    json.member("objects", layout.objects);
    json.key("fields");
    json.beginArray();
    for (const std::string& field : layout.fields) json.value(field);
    json.endArray();
    json.endObject();
  }
  json.endArray();
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
  writeTypes(json, comparison, selection);
  writeFigures(json, comparison);
  writeInsights(json, comparison, selection);
  writeLayouts(json, comparison, selection);
  writeTotals(json, comparison);
}

}  // namespace heapscape::engine
