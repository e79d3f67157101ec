// SPDX-License-Identifier: MIT
#include "output/heap/memory_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/given_name.h"
#include "output/heap/memory_owners.h"
#include "output/table_output.h"
#include "output/text.h"
#include "output/text_table.h"
#include "tables/memory_table.h"

namespace heapscape::engine {
namespace {

using Align = TextTable::Align;

// Of each owner, where nobody said how many: a process maps hundreds of files.
constexpr std::size_t kPartsOfOwner = 10;

std::vector<std::string> cellsOf(std::string title, std::uint64_t bytes, std::uint64_t inDump, std::uint64_t whole) {
  return {std::move(title), readableBytes(bytes),
          fmt::format("{:.1f}%", whole ? 100.0 * static_cast<double>(bytes) / static_cast<double>(whole) : 0.0),
          readableBytes(inDump)};
}

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
  TextTable table({{"Owner"}, {"Mapped", Align::Right}, {"Share", Align::Right}, {"In the dump", Align::Right}});
  const std::size_t limit = selection.limit == SIZE_MAX ? kPartsOfOwner : selection.limit;
  std::uint64_t inDump = 0;
  for (const OwnedMemory& owner : memoryByOwner(memory)) {
    inDump += owner.inDumpBytes;
    table.addRow(cellsOf(titleOf(owner.owner), owner.bytes, owner.inDumpBytes, memory.mappedBytes));
    OwnedMemory rest = owner;
    for (const MemoryPart& part : owner.parts.first(std::min(limit, owner.parts.size()))) {
      rest.bytes -= part.bytes;
      rest.inDumpBytes -= part.inDumpBytes;
      rest.parts = rest.parts.subspan(1);
      if (part.name.empty()) continue;
      table.addRow(cellsOf("  " + withoutGivenNameIf(selection.isRedacted, part.name), part.bytes, part.inDumpBytes,
                           memory.mappedBytes));
    }
    if (!rest.parts.empty())
      table.addRow(
          cellsOf(fmt::format("  {} more", rest.parts.size()), rest.bytes, rest.inDumpBytes, memory.mappedBytes));
  }
  table.addRow(cellsOf("All", memory.mappedBytes, inDump, memory.mappedBytes));
  table.write(output);
  output.write(residentText(memory) + "\n");
  output.write(
      fmt::format("Reserved addresses without memory behind them: {}.\n", readableBytes(memory.reservedBytes)));
  if (!memory.remark.empty()) output.write(memory.remark + "\n");
}

}  // namespace heapscape::engine
