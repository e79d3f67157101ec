// SPDX-License-Identifier: MIT
#include "output/roots_json.h"

#include "output/value_text.h"
#include "values/code_address.h"

namespace heapscape::engine {

namespace {

void writeStatic(JsonWriter& json, const StaticRow& row, bool isRedacted) {
  const Value& value = row.value.value;
  json.beginObject();
  json.member("type", row.typeName);
  json.member("field", row.field);
  json.member("kind", toString(row.kind));
  json.member("fieldType", row.fieldType);
  if (row.kind == StaticKind::Thread) json.member("threadId", row.threadId);
  json.member("address", row.address);
  const CodeAddress code = codeAddressOf(value);
  json.key("value");
  if (value.kind == ValueKind::Null || value.text.empty() || (isRedacted && isContents(value))) {
    json.null();
  } else {
    json.value(code.address);
    if (!code.method.empty()) json.member("method", code.method);
  }
  json.member("object", value.object);
  json.member("initialised", row.isInitialised);
  json.member("boxed", row.isBoxed);
  json.member("assembly", row.assembly);
  json.member("methodTable", row.methodTable);
  json.member("valueKind", toString(value.kind));
  if (!value.objectType.empty()) json.member("objectType", value.objectType);
  if (!value.damage.empty()) json.member("damage", value.damage);
  json.member("retainedBytes", row.retainedBytes);
  json.endObject();
}

}  // namespace

void writeHandles(JsonWriter& json, const HandleList& list, const RowSelection& selection) {
  json.key("handles");
  json.beginRows();
  for (const HandleRow& row : selection.of(list.handles)) {
    json.beginObject();
    json.member("address", row.address);
    json.member("kind", toString(row.kind));
    json.member("object", row.object);
    json.member("type", row.typeName);
    if (row.kind == HandleKind::Dependent) {
      json.member("dependent", row.dependent);
      json.member("dependentType", row.dependentType);
    }
    json.member("heap", row.heap);
    json.member("methodTable", row.methodTable);
    json.member("retainedBytes", row.retainedBytes);
    json.endObject();
  }
  json.endArray();
}

void writeFinalizers(JsonWriter& json, const FinalizerList& list, const RowSelection& selection) {
  json.key("finalizers");
  json.beginRows();
  for (const FinalizerRow& row : selection.of(list.objects)) {
    json.beginObject();
    json.member("object", row.object);
    json.member("type", row.typeName);
    json.member("queue", toString(row.queue));
    json.member("suppressed", row.isSuppressed);
    json.member("critical", row.queue == FinalizerQueueKind::ReadyCritical);
    json.member("generation", toString(row.generation));
    json.member("heap", row.heap);
    json.member("methodTable", row.methodTable);
    json.member("retainedBytes", row.retainedBytes);
    json.endObject();
  }
  json.endArray();
}

void writeStatics(JsonWriter& json, const StaticList& list, const RowSelection& selection) {
  json.key("statics");
  json.beginRows();
  for (const StaticRow& row : selection.of(list.statics)) writeStatic(json, row, selection.isRedacted);
  json.endArray();
}

}  // namespace heapscape::engine
