// SPDX-License-Identifier: MIT
#include "output/threads_json.h"

namespace heapscape::engine {

namespace {

void writeRange(JsonWriter& json, std::string_view name, AddressRange range) {
  json.key(name);
  if (range.start == range.end) {
    json.null();
    return;
  }
  json.beginObject();
  json.member("start", range.start);
  json.member("end", range.end);
  json.endObject();
}

void writeThread(JsonWriter& json, const ThreadRow& row, bool isRedacted) {
  json.beginObject();
  json.member("managedId", row.managedId);
  json.member("osId", row.osId);
  json.member("name", isRedacted ? std::string() : row.name);
  json.key("state");
  json.beginArray();
  for (const std::string& name : row.state) json.value(name);
  json.endArray();
  json.member("alive", row.isAlive);
  json.member("background", row.isBackground);
  json.member("finalizer", row.isFinalizer);
  json.member("gc", row.isGc);
  json.member("threadPool", row.isThreadPool);
  writeRange(json, "allocationContext", row.allocationContext);
  json.member("exception", row.exception);
  if (row.exception) json.member("exceptionType", row.exceptionType);
  json.member("locks", row.locks);
  json.member("waitsFor", row.waitsForManagedId);
  json.member("object", row.managedThread);
  json.member("address", row.address);
  json.member("stateBits", row.stateBits);
  writeRange(json, "stack", row.stack);
  json.member("retainedBytes", row.retainedBytes);
  json.member("doing", row.doing);
  json.member("exactRoots", row.hasExactRoots);
  json.endObject();
}

void writeLock(JsonWriter& json, const LockRow& row, bool isRedacted) {
  json.beginObject();
  json.member("kind", toString(row.kind));
  json.member("object", row.object);
  json.member("type", row.typeName);
  json.member("held", row.isHeld);
  json.member("ownerManagedId", row.ownerManagedId);
  json.member("ownerOsId", row.ownerOsId);
  json.member("ownerName", isRedacted ? std::string() : row.ownerName);
  json.member("ownerDoing", row.ownerDoing);
  json.member("recursion", row.recursion);
  json.member("waiting", row.waiting);
  json.key("waitingThreads");
  json.beginArray();
  for (const std::uint32_t thread : row.waitingThreads) json.value(thread);
  json.endArray();
  if (row.kind == LockKind::SyncBlock) {
    json.member("syncBlockIndex", row.syncBlockIndex);
    json.member("syncBlock", row.syncBlock);
    json.member("hashCode", row.hashCode);
    json.member("interop", row.hasInterop);
  }
  json.endObject();
}

}  // namespace

void writeThreads(JsonWriter& json, const ThreadList& list, const RowSelection& selection) {
  json.key("threads");
  json.beginRows();
  for (const ThreadRow& row : selection.of(list.threads)) writeThread(json, row, selection.isRedacted);
  json.endArray();
}

void writeLocks(JsonWriter& json, const LockList& list, const RowSelection& selection) {
  json.key("locks");
  json.beginRows();
  for (const LockRow& row : selection.of(list.locks)) writeLock(json, row, selection.isRedacted);
  json.endArray();
  json.key("cycles");
  json.beginRows();
  for (const auto& cycle : list.cycles) {
    json.beginArray();
    for (const std::uint32_t thread : cycle) json.value(thread);
    json.endArray();
  }
  json.endArray();
}

}  // namespace heapscape::engine
