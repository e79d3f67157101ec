// SPDX-License-Identifier: MIT
#include "output/heap/memory_output.h"

#include <fmt/format.h>

#include "output/table_output.h"
#include "output/text.h"
#include "session/process/process_memory.h"
#include "tables/memory_table.h"

namespace heapscape::engine {
namespace {

// Of each owner, where nobody said how many: a process maps hundreds of files.
constexpr std::size_t kPartsOfOwner = 10;

}  // namespace

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

void writeMemoryText(Output& output, const ProcessMemory& memory, const RowSelection& selection) {
  const std::size_t limit = selection.limit == SIZE_MAX ? kPartsOfOwner : selection.limit;
  const std::vector<MemoryLine> lines = listMemoryLines(memory, limit);
  writeTableText(output, memoryLinesTable().over(lines), {.isRedacted = selection.isRedacted});
  output.write(residentText(memory) + "\n");
  output.write(
      fmt::format("Reserved addresses without memory behind them: {}.\n", readableBytes(memory.reservedBytes)));
  if (!memory.remark.empty()) output.write(memory.remark + "\n");
}

}  // namespace heapscape::engine
