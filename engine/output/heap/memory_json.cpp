// SPDX-License-Identifier: MIT
#include "output/heap/memory_json.h"

#include "output/given_name.h"
#include "output/heap/memory_owners.h"

namespace heapscape::engine {

void writeMemory(JsonWriter& json, const ProcessMemory& memory, const RowSelection& selection) {
  json.key("memory");
  json.beginRows();
  for (const MemoryPart& part : selection.of(memory.parts)) {
    json.beginObject();
    json.member("category", toString(part.owner));
    json.member("name", withoutGivenNameIf(selection.isRedacted, part.name));
    if (!part.path.empty()) json.member("path", part.path);
    json.member("address", part.address);
    json.member("mappings", part.mappings);
    json.member("bytes", part.bytes);
    json.member("inDump", part.inDumpBytes);
    json.endObject();
  }
  json.endArray();

  json.key("totals");
  json.beginObject();
  json.member("mappedBytes", memory.mappedBytes);
  json.member("reservedBytes", memory.reservedBytes);
  json.key("resident");
  json.beginObject();
  json.member("atLeastBytes", memory.resident.atLeastBytes);
  if (memory.isWhole) json.member("atMostBytes", memory.mappedBytes);
  json.member("fileBytes", memory.resident.fileBytes);
  json.member("holeBytes", memory.resident.holeBytes);
  json.endObject();
  json.member("whole", memory.isWhole);
  json.member("remark", memory.remark);
  json.key("categories");
  json.beginObject();
  for (const OwnedMemory& owner : memoryByOwner(memory)) json.member(toString(owner.owner), owner.bytes);
  json.endObject();
  json.endObject();
}

}  // namespace heapscape::engine
