// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "output/text.h"
#include "review/described_rows.h"
#include "review/pages/heap_pictures.h"
#include "review/pages/report_pages.h"
#include "review/review_cells.h"
#include "session/process/process_memory.h"
#include "tables/memory_table.h"

namespace heapscape::engine {
namespace {

std::string remarkOf(const ProcessMemory& memory) {
  std::string remark = fmt::format("Every mapped byte once: {} bytes in all", readableCount(memory.mappedBytes));
  if (memory.reservedBytes) {
    remark += fmt::format("; {} more are address space without memory behind it", readableBytes(memory.reservedBytes));
  }
  remark += ". " + residentText(memory);
  if (!memory.remark.empty()) remark += " " + memory.remark;
  return remark;
}

// Owners with most memory first.
std::vector<MemoryPart> partsByOwner(const ProcessMemory& memory) {
  std::vector<OwnedMemory> owners = memoryByOwner(memory);
  std::ranges::stable_sort(owners, std::greater(), &OwnedMemory::bytes);
  std::vector<MemoryPart> parts;
  for (const OwnedMemory& owner : owners) parts.insert(parts.end(), owner.parts.begin(), owner.parts.end());
  return parts;
}

ReviewTable partTable(const ProcessMemory& memory, const DumpReportOptions& options) {
  const std::vector<MemoryPart> parts = partsByOwner(memory);
  ReviewTable table =
      describedRows(memoryTable().over(parts), {"whose", "name", "bytes", "inDump", "mappings", "address"},
                    {.limit = options.rows, .isRedacted = options.isRedacted});
  table.columns.push_back({"Share", ReviewCellKind::Percent});
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    table.rows[i].push_back(percentCell(parts[i].bytes, memory.mappedBytes));
  return table;
}

}  // namespace

Outcome<void> addMemoryPages(const ReportInput& input, ReviewPages& pages) {
  HEAPSCAPE_TRY(const ProcessMemory memory, processMemoryOf(input.snapshot, input.stop));
  pages.push_back(
      {.title = "Whose the process's memory is", .remark = remarkOf(memory), .content = memoryPicture(memory)});
  pages.push_back({.title = "Memory by owner", .content = partTable(memory, input.options)});
  return {};
}

}  // namespace heapscape::engine
