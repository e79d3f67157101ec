// SPDX-License-Identifier: MIT
#include "output/heap/memory_json.h"

#include "output/heap/memory_owners.h"
#include "output/table_output.h"
#include "tables/memory_table.h"

namespace heapscape::engine {

void writeMemory(JsonWriter& json, const ProcessMemory& memory, const RowSelection& selection) {
  writeTable(json, memoryTable().with(memory.parts), selection);

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
