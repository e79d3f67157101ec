// SPDX-License-Identifier: MIT
#include "output/objects/object_details_output.h"

#include <fmt/format.h>

#include "output/objects/exception_output.h"
#include "output/objects/value_output.h"
#include "output/table_output.h"
#include "tables/local_value_tables.h"

namespace heapscape::engine {
namespace {

void writeHeader(JsonWriter& json, const ObjectDetails& details, bool redact) {
  if (!details.header) return;
  const ObjectHeader& header = *details.header;
  json.key("header");
  json.beginObject();
  json.member("value", fmt::format("0x{:08x}", header.value));
  json.member("kind", toString(header.kind));
  json.member("threadId", header.threadId);
  json.member("recursion", header.recursion);
  json.member("hashCode", header.hashCode);
  json.member("syncBlockIndex", header.syncBlockIndex);
  // A thread's name is a string of the program.
  if (!details.headerThread.empty() && !redact) json.member("thread", details.headerThread);
  json.key("bits");
  json.beginArray();
  for (const std::string& flag : header.flags) json.value(flag);
  json.endArray();
  json.key("parts");
  json.beginArray();
  for (const HeaderBits& part : header.bits) {
    json.beginObject();
    json.member("name", part.name);
    json.member("first", unsigned{part.first});
    json.member("count", unsigned{part.count});
    json.member("value", part.value);
    json.member("meaning", part.meaning);
    json.endObject();
  }
  json.endArray();
  json.endObject();
}

void writeHeldLock(JsonWriter& json, const LockRow& lock, bool redact) {
  json.key("lock");
  json.beginObject();
  json.member("kind", toString(lock.kind));
  json.member("held", lock.isHeld);
  if (lock.hasOwnerEnded) json.member("ownerEnded", true);
  if (lock.kind == LockKind::ReaderWriterLock) {
    json.key("readers");
    json.beginArray();
    for (const std::uint32_t reader : lock.readers) json.value(reader);
    json.endArray();
    json.member("readerCount", lock.readerCount);
    json.member("upgradeable", lock.isUpgradeable);
  }
  json.member("ownerManagedId", lock.ownerManagedId);
  json.member("ownerOsId", lock.ownerOsId);
  if (!lock.ownerName.empty() && !redact) json.member("ownerName", lock.ownerName);
  json.member("recursion", lock.recursion);
  json.member("waiting", lock.waiting);
  if (lock.kind == LockKind::SyncBlock) {
    json.member("syncBlockIndex", lock.syncBlockIndex);
    json.member("syncBlock", lock.syncBlock);
    json.member("hashCode", lock.hashCode);
    json.member("interop", lock.hasInterop);
  }
  json.endObject();
}

void writeString(JsonWriter& json, const StringDetails& string, bool redact) {
  if (redact) {
    json.member("redacted", true);
  } else {
    json.member("string", string.text);
  }
  json.key("stringLayout");
  json.beginObject();
  json.member("length", string.length);
  json.member("shown", redact ? 0u : string.shown);
  json.member("lengthOffset", string.lengthOffset);
  json.member("charactersOffset", string.charactersOffset);
  json.member("terminatorBytes", string.terminatorBytes);
  json.member("alignmentBytes", string.alignmentBytes);
  if (!string.damage.empty()) json.member("damage", string.damage);
  json.endObject();
}

void writeArray(JsonWriter& json, const ArrayDetails& array, bool redact) {
  json.key("array");
  json.beginObject();
  json.member("rank", array.rank);
  json.key("lengths");
  json.beginArray();
  for (const std::uint32_t length : array.lengths) json.value(length);
  json.endArray();
  json.key("lowerBounds");
  json.beginArray();
  for (const std::int32_t bound : array.lowerBounds) json.number(fmt::to_string(bound));
  json.endArray();
  json.member("count", array.count);
  json.member("elementType", array.elementType);
  json.member("elementSize", array.elementSize);
  json.member("elementOffset", array.elementOffset);
  writeFieldValues(json, "elements", array.elements, redact);
  if (!array.damage.empty()) json.member("damage", array.damage);
  json.endObject();
}

void writeBoxed(JsonWriter& json, const BoxedDetails& boxed, bool redact) {
  json.key("boxed");
  json.beginObject();
  json.member("offset", boxed.valueOffset);
  json.member("size", boxed.valueSize);
  writeValueMembers(json, boxed.value, redact);
  json.endObject();
}

void writeDelegate(JsonWriter& json, const std::vector<DelegateTarget>& targets) {
  json.key("delegate");
  json.beginObject();
  json.member("target", targets.front().target);
  json.key("methods");
  json.beginArray();
  for (const DelegateTarget& target : targets) {
    json.beginObject();
    json.member("method", target.method);
    json.member("target", target.target);
    json.member("targetType", target.targetType);
    json.member("methodDesc", target.methodDesc);
    json.member("code", target.code);
    json.member("closed", target.isClosed);
    json.endObject();
  }
  json.endArray();
  json.endObject();
}

void writeException(JsonWriter& json, const ExceptionDetails& exception, bool redact) {
  json.key("exception");
  json.beginObject();
  writeExceptionMembers(json, exception, redact);
  json.endObject();
}

void writeCollection(JsonWriter& json, const CollectionDetails& collection, bool redact) {
  json.key("collection");
  json.beginObject();
  json.member("kind", collection.kind);
  json.member("count", collection.count);
  json.member("capacity", collection.capacity);
  if (!collection.state.empty()) json.member("state", collection.state);
  if (collection.hasKeys) json.member("keyType", collection.keyType);
  json.member("valueType", collection.valueType);
  json.key("items");
  json.beginArray();
  for (const CollectionItem& item : collection.items) {
    json.beginObject();
    json.member("label", redact && collection.hasKeys ? std::string() : item.label);  // "[key]"
    if (collection.hasKeys) {
      json.key("key");
      json.beginObject();
      writeValueMembers(json, item.key, redact);
      writeFieldValues(json, "fields", item.keyFields, redact);
      json.endObject();
    }
    writeValueMembers(json, item.value, redact);
    writeFieldValues(json, "fields", item.valueFields, redact);
    json.endObject();
  }
  json.endArray();
  if (!collection.damage.empty()) json.member("damage", collection.damage);
  json.endObject();
}

void writeBytes(JsonWriter& json, const ObjectBytes& bytes) {
  std::string hex;
  for (const std::uint8_t byte : bytes.bytes) hex += fmt::format("{:02x}", byte);
  json.member("raw", hex);
  json.member("rawSkipped", bytes.skipped);
  json.member("rawLeftOut", bytes.totalBytes - bytes.skipped - bytes.bytes.size());
  json.key("runs");
  json.beginArray();
  for (const ByteRun& run : bytes.runs) {
    json.beginObject();
    json.member("owner", toString(run.owner));
    json.key("offset");
    json.number(fmt::to_string(run.offset));
    json.member("size", run.sizeBytes);
    json.member("name", run.name);
    if (!run.typeName.empty()) json.member("type", run.typeName);
    json.endObject();
  }
  json.endArray();
}

void writeSuspended(JsonWriter& json, const SuspendedDetails& suspended) {
  json.key("suspended");
  json.beginObject();
  json.member("method", suspended.method);
  json.member("await", static_cast<std::uint32_t>(suspended.await));
  if (suspended.ilOffset) json.member("ilOffset", *suspended.ilOffset);
  if (suspended.line) {
    json.member("file", suspended.file);
    json.member("line", suspended.line);
  }
  if (!suspended.missing.empty()) json.member("missing", suspended.missing);
  json.endObject();
}

}  // namespace

void writeObjectDetails(JsonWriter& json, const ObjectDetails& details, const ObjectBytes* bytes, bool redact) {
  json.key("object");
  json.beginObject();
  json.member("address", details.row.address);
  json.member("type", details.typeName);
  json.member("methodTable", details.methodTable);
  json.member("assembly", details.assembly);
  json.member("size", details.row.sizeBytes);
  json.member("bytes", details.row.alignedBytes);
  // A triage dump tells of no segments.
  if (details.segmentAddress) {
    json.member("generation", toString(details.row.generation));
    json.member("segment", details.segmentAddress);
  }
  if (details.retained) {
    json.member("retainedBytes", details.retained->retainedBytes);
    json.member("retainedCount", details.retained->retainedCount);
    json.member("dominator", details.retained->dominator);
    json.member("reachable", details.retained->isReachable);
  }
  json.member("free", details.isFree);
  writeHeader(json, details, redact);
  if (details.lock) writeHeldLock(json, *details.lock, redact);
  writeFieldValues(json, "fields", details.fields, redact);
  if (details.suspended) writeSuspended(json, *details.suspended);
  if (details.string) writeString(json, *details.string, redact);
  if (details.array) writeArray(json, *details.array, redact);
  if (details.boxed) writeBoxed(json, *details.boxed, redact);
  if (!details.delegate.empty()) writeDelegate(json, details.delegate);
  if (details.exception) writeException(json, *details.exception, redact);
  if (!details.localValues.empty()) {
    RowSelection selection;
    selection.isRedacted = redact;
    writeTable(json, localsTable().over(details.localValues), selection);
  }
  if (details.collection) writeCollection(json, *details.collection, redact);
  if (bytes) writeBytes(json, *bytes);
  json.endObject();
}

}  // namespace heapscape::engine
