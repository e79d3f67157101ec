// SPDX-License-Identifier: MIT
#include "views/memory/memory_rows.h"

#include <QObject>
#include <algorithm>

#include "tables/memory_table.h"
#include "views/memory/memory_parts.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

RowSchema<MemoryRow> memorySchema(std::uint64_t mappedBytes) {
  static const engine::TableOf<MemoryRow> table = engine::memoryTable().within(&MemoryRow::part);
  RowSchema<MemoryRow> schema{.table = &table};
  schema.columns.push_back({.setup = {.field = "owner", .letters = 20},
                            .words = [](const MemoryRow& row) { return memoryOwnerText(row.part.owner); },
                            .detail = [](const MemoryRow& row) { return memoryOwnerTip(row.part.owner); }});
  schema.columns.push_back(
      {.setup = {.field = "name", .letters = 26, .stretches = true},
       .words = [](const MemoryRow& row) { return row.part.name.empty() ? QString() : memoryPartText(row.part); },
       .detail =
           [](const MemoryRow& row) {
             return row.part.path.empty() ? memoryPartText(row.part) : fromEngine(row.part.path);
           }});
  schema.columns.push_back(
      {.setup = {.field = "bytes", .bar = ColumnBar::Plain}, .detail = [mappedBytes](const MemoryRow& row) {
         return u"%1, %2 of all that is mapped"_s.arg(exactBytesText(row.part.bytes),
                                                      percentText(row.part.bytes, mappedBytes));
       }});
  for (const char* field : {"inDump", "mappings", "address"}) schema.columns.push_back({.setup = {.field = field}});
  // Parts of several owners may begin at one address: their place in the list tells them apart.
  schema.identity = [](const MemoryRow& row) { return engine::Address{row.index + 1}; };
  return schema;
}

std::shared_ptr<const RowList> memoryRows(const engine::ProcessMemory& memory) {
  std::vector<MemoryRow> rows;
  for (std::size_t index = 0; index < memory.parts.size(); ++index)
    rows.push_back({.part = memory.parts[index], .index = index});
  std::ranges::stable_sort(rows, std::ranges::greater{}, [](const MemoryRow& row) { return row.part.bytes; });
  return makeRowList(std::move(rows), memorySchema(memory.mappedBytes));
}

}  // namespace heapscape::gui
