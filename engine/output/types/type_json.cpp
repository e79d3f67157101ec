// SPDX-License-Identifier: MIT
#include "output/types/type_json.h"

#include "output/objects/value_json.h"
#include "output/table_output.h"
#include "output/types/type_class_report.h"
#include "output/types/type_lookups_report.h"
#include "tables/root_tables.h"
#include "tables/type_tables.h"

namespace heapscape::engine {
namespace {

void writeNames(JsonWriter& json, std::string_view name, const std::vector<std::string>& words) {
  json.key(name);
  json.beginArray();
  for (const std::string& word : words) json.value(word);
  json.endArray();
}

void writeLinkMembers(JsonWriter& json, const TypeLink& link) {
  json.member("name", link.name);
  json.member("methodTable", link.methodTable);
}

void writeIdentity(JsonWriter& json, const TypeDetails& type) {
  json.member("name", type.name);
  json.member("clrName", type.clrName);
  json.member("csharpName", type.csharpName);
  json.member("kind", type.kind);
  json.member("methodTable", type.methodTable);
  json.member("canonicalMethodTable", type.canonical.methodTable);
  json.member("eeClass", type.eeClass);
  json.member("eeClassOptionalFields", type.eeClassOptionalFields ? type.eeClassOptionalFields->address : Address{});
  json.member("auxiliaryData", type.auxiliaryData);
  json.member("module", type.moduleName);
  json.member("moduleAddress", type.module);
  json.member("file", type.modulePath);
  json.member("loadContext", type.loadContext);
  json.member("loaderModule", type.loaderModule);
  json.member("loaderAllocator", type.loaderAllocator);
  json.member("token", type.token);
  json.member("parent", type.parent.name);
  json.member("parentMethodTable", type.parent.methodTable);
  json.key("parents");
  writeRows(json, typeLinksTable().with(type.parents), {});
}

void writeFigures(JsonWriter& json, const TypeDetails& type) {
  json.member("baseSize", type.baseSize);
  json.member("componentSize", type.componentSize);
  json.member("attributes", type.attributes);
  writeNames(json, "attributeNames", type.attributeNames);
  json.member("flags", type.flags);
  json.member("flags2", type.flags2);
  writeNames(json, "flagNames", type.flagNames);
  json.member("elementType", type.elementType);
  json.member("containsPointers", type.containsPointers);
  json.member("collectible", type.isCollectible);
  json.member("finalizer", type.hasFinalizer);
  json.member("dynamicStatics", type.isDynamicStatics);
  json.member("initialised", type.isClassInitialised);
  json.member("vtableSlots", type.vtableSlots);
  json.member("totalSlots", type.totalSlots);
  json.member("methodCount", type.methodCount);
  json.member("instanceFields", type.instanceFieldCount);
  json.member("staticFields", type.staticFieldCount);
  json.member("threadStaticFields", type.threadStaticFieldCount);
  json.member("objects", type.objects);
  json.member("bytes", type.bytes);
  if (!type.elementTypeLink) return;
  json.member("rank", type.rank);
  json.key("element");
  json.beginObject();
  writeLinkMembers(json, *type.elementTypeLink);
  json.endObject();
}

void writeGenericParts(JsonWriter& json, const TypeDetails& type) {
  writeTable(json, typeArgumentsTable().with(type.typeArguments), {});
  json.key("sharedWith");
  json.beginArray();
  for (const TypeLink& other : type.sharedWith) json.value(other.methodTable);
  json.endArray();
  writeTypeLookupMembers(json, type);
}

}  // namespace

void writeType(JsonWriter& json, const TypeDetails& type, const StaticList& statics, const RowSelection& selection) {
  json.key("type");
  json.beginObject();
  writeIdentity(json, type);
  writeFigures(json, type);
  writeTypeClassMembers(json, type);
  json.key("interfaces");
  writeRows(json, typeLinksTable().with(type.interfaces), {});
  // What a field holds is a number or a truth to JSON where it is one.
  json.key("fields");
  writeRows(json, fieldsTable().with(type.fields), {}, [&](JsonWriter& to, std::uint32_t row) {
    const std::optional<Value>& value = type.fields[row].value;
    if (value) writeValueMembers(to, *value, selection.isRedacted);
  });
  writeTable(json, staticsTable().with(statics.statics), selection);
  writeTable(json, methodsTable().with(type.methods), selection);
  writeGenericParts(json, type);
  writeTable(json, typePartsTable().with(type.parts), {});
  json.endObject();
}

}  // namespace heapscape::engine
