// SPDX-License-Identifier: MIT
#include "output/types/type_json.h"

#include "output/objects/value_json.h"
#include "output/table_output.h"
#include "output/types/type_class_report.h"
#include "output/types/type_lookups_report.h"
#include "tables/root_tables.h"

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

void writeLinks(JsonWriter& json, std::string_view name, const std::vector<TypeLink>& links) {
  json.key(name);
  json.beginArray();
  for (const TypeLink& link : links) {
    json.beginObject();
    writeLinkMembers(json, link);
    json.endObject();
  }
  json.endArray();
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
  writeLinks(json, "parents", type.parents);
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

void writeField(JsonWriter& json, const TypeField& field, bool isRedacted) {
  json.beginObject();
  json.member("token", field.token);
  json.member("name", field.name);
  json.member("type", field.typeName);
  json.member("declaredType", field.declaredType);
  json.member("typeMethodTable", field.typeMethodTable);
  json.member("elementType", std::uint32_t{field.elementType});
  json.member("offset", field.offset);
  json.member("objectOffset", field.objectOffset);
  json.member("size", field.sizeBytes);
  json.member("attributes", field.attributes);
  json.member("declaringType", field.declaringType);
  json.member("declaringMethodTable", field.declaringMethodTable);
  json.member("valueType", field.isValueType);
  json.member("static", field.isStatic);
  json.member("threadStatic", field.isThreadStatic);
  json.member("rva", field.isRva);
  json.member("fieldDesc", field.fieldDesc);
  if (field.value) writeValueMembers(json, *field.value, isRedacted);
  json.endObject();
}

void writeVersions(JsonWriter& json, const std::vector<MethodCode>& versions) {
  json.key("versions");
  json.beginArray();
  for (const MethodCode& version : versions) {
    json.beginObject();
    json.member("code", version.start);
    json.member("state", toString(version.state));
    json.member("tier", version.tier);
    json.member("bytes", version.sizeBytes);
    json.member("active", version.isActive);
    json.endObject();
  }
  json.endArray();
}

void writeMethod(JsonWriter& json, const TypeMethod& method) {
  json.beginObject();
  json.member("name", method.name);
  json.member("declaringType", method.declaringType);
  json.member("methodDesc", method.methodDesc);
  json.member("token", method.token);
  json.member("slot", method.slot);
  json.member("classification", method.classification);
  json.member("virtual", method.isVirtual);
  json.member("inherited", method.isInherited);
  json.member("static", method.isStatic);
  json.member("entry", method.entry);
  json.member("code", method.code);
  json.member("state", toString(method.state));
  json.member("tier", method.tier);
  json.member("codeBytes", method.codeBytes);
  json.member("shared", method.isShared);
  json.member("lookupSource", toString(method.lookupSource));
  if (method.versions.size() > 1) writeVersions(json, method.versions);
  json.endObject();
}

void writeGenericParts(JsonWriter& json, const TypeDetails& type) {
  json.key("typeArguments");
  json.beginArray();
  for (const TypeArgument& argument : type.typeArguments) {
    json.beginObject();
    json.member("parameter", argument.parameter);
    writeLinkMembers(json, argument.argument);
    json.member("canonical", argument.canonicalName);
    json.member("shared", argument.isShared);
    json.endObject();
  }
  json.endArray();
  json.key("sharedWith");
  json.beginArray();
  for (const TypeLink& other : type.sharedWith) json.value(other.methodTable);
  json.endArray();
  writeTypeLookupMembers(json, type);
}

void writeParts(JsonWriter& json, const std::vector<TypeDetails::Part>& parts) {
  json.key("parts");
  json.beginRows();
  for (const TypeDetails::Part& part : parts) {
    json.beginObject();
    json.member("name", part.name);
    json.member("address", part.address);
    json.member("bytes", part.sizeBytes);
    json.member("note", part.note);
    json.endObject();
  }
  json.endArray();
}

void writeInstantiation(JsonWriter& json, const GenericInstantiation& instantiation) {
  json.beginObject();
  json.member("name", instantiation.name);
  json.member("methodTable", instantiation.methodTable);
  json.member("canonical", instantiation.canonical);
  json.member("canonicalName", instantiation.canonicalName);
  json.member("sharesCode", instantiation.sharesCode);
  json.member("objects", instantiation.objects);
  json.member("bytes", instantiation.bytes);
  json.endObject();
}

void writeDefinition(JsonWriter& json, const GenericDefinition& definition) {
  json.beginObject();
  json.member("definition", definition.name);
  json.member("assembly", definition.assembly);
  writeNames(json, "parameters", definition.parameters);
  json.member("methodTables", definition.methodTables);
  json.member("methodTableBytes", definition.methodTableBytes);
  json.member("openForms", definition.openForms);
  json.member("codeSets", definition.codeSets);
  json.member("methods", definition.methods);
  json.member("methodsWithCode", definition.methodsWithCode);
  json.member("codeBytes", definition.codeBytes);
  json.member("jittedBytes", definition.jittedBytes);
  json.member("codeSizeUnknown", definition.codeSizeUnknown);
  json.key("instantiations");
  json.beginRows();
  for (const GenericInstantiation& instantiation : definition.instantiations) writeInstantiation(json, instantiation);
  json.endArray();
  json.endObject();
}

}  // namespace

void writeType(JsonWriter& json, const TypeDetails& type, const StaticList& statics, const RowSelection& selection) {
  json.key("type");
  json.beginObject();
  writeIdentity(json, type);
  writeFigures(json, type);
  writeTypeClassMembers(json, type);
  writeLinks(json, "interfaces", type.interfaces);
  json.key("fields");
  json.beginRows();
  for (const TypeField& field : type.fields) writeField(json, field, selection.isRedacted);
  json.endArray();
  writeTable(json, staticsTable().with(statics.statics), selection);
  json.key("methods");
  json.beginRows();
  for (const TypeMethod& method : selection.of(type.methods)) writeMethod(json, method);
  json.endArray();
  writeGenericParts(json, type);
  writeParts(json, type.parts);
  json.endObject();
}

void writeGenerics(JsonWriter& json, const std::vector<GenericDefinition>& definitions, const RowSelection& selection) {
  json.key("generics");
  json.beginRows();
  for (const GenericDefinition& definition : selection.of(definitions)) writeDefinition(json, definition);
  json.endArray();
}

}  // namespace heapscape::engine
