// SPDX-License-Identifier: MIT
#include "views/memory/memory_rows.h"

#include <QObject>
#include <algorithm>

#include "views/memory/memory_parts.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

RowSchema<MemoryRow> memorySchema(std::uint64_t mappedBytes) {
  RowSchema<MemoryRow> schema;
  schema.columns = {
      {.setup = {.title = QObject::tr("Owner"), .letters = 24, .isSearched = true, .holdsContents = false},
       .words = [](const MemoryRow& row) { return memoryOwnerText(row.part.owner); },
       .detail = [](const MemoryRow& row) { return memoryOwnerTip(row.part.owner); }},
      {.setup =
           {.title = QObject::tr("What"), .letters = 30, .stretches = true, .isSearched = true, .holdsContents = false},
       .words = [](const MemoryRow& row) { return row.part.name.empty() ? QString() : memoryPartText(row.part); },
       .detail =
           [](const MemoryRow& row) {
             return row.part.path.empty() ? memoryPartText(row.part) : fromEngine(row.part.path);
           }},
      {.setup = {.title = QObject::tr("Mapped"),
                 .tip = QObject::tr("Memory of the process"),
                 .look = ColumnLook::Bytes,
                 .bar = ColumnBar::Plain},
       .number = [](const MemoryRow& row) { return row.part.bytes; },
       .detail =
           [mappedBytes](const MemoryRow& row) {
             return QObject::tr("%1, %2 of all that is mapped")
                 .arg(exactBytesText(row.part.bytes), percentText(row.part.bytes, mappedBytes));
           }},
      {.setup = {.title = QObject::tr("In the dump"),
                 .tip = QObject::tr("What the dump holds of it"),
                 .look = ColumnLook::Bytes,
                 .hidesZero = true},
       .number = [](const MemoryRow& row) { return row.part.inDumpBytes; }},
      {.setup = {.title = QObject::tr("Mappings"),
                 .tip = QObject::tr("Ranges of addresses that it lies in"),
                 .look = ColumnLook::Count,
                 .hidesZero = true},
       .number = [](const MemoryRow& row) { return row.part.mappings; }},
      {.setup = {.title = QObject::tr("First at"), .look = ColumnLook::Address, .isSearched = true},
       .number = [](const MemoryRow& row) { return row.part.address.value; }},
  };
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
