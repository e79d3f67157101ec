// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/given_name.h"
#include "output/heap/memory_owners.h"
#include "output/text.h"
#include "review/pages/heap_pictures.h"
#include "review/pages/report_pages.h"
#include "review/review_cells.h"

namespace heapscape::engine {
namespace {

using Kind = ReviewCellKind;

std::string remarkOf(const ProcessMemory& memory) {
  std::string remark = fmt::format("Every mapped byte once: {} bytes in all", readableCount(memory.mappedBytes));
  if (memory.reservedBytes) {
    remark += fmt::format("; {} more are address space without memory behind it", readableBytes(memory.reservedBytes));
  }
  remark += ". " + residentText(memory);
  if (!memory.remark.empty()) remark += " " + memory.remark;
  return remark;
}

ReviewTable partTable(const ProcessMemory& memory, std::size_t limit) {
  ReviewTable table{.columns = {{"Owner"},
                                {"Part"},
                                {"Bytes", Kind::Bytes},
                                {"Share", Kind::Percent},
                                {"In the dump", Kind::Bytes},
                                {"Mappings", Kind::Count},
                                {"First at", Kind::Address}},
                    .rows = {}};
  std::vector<OwnedMemory> owners = memoryByOwner(memory);
  std::ranges::stable_sort(owners, std::greater(), &OwnedMemory::bytes);
  for (const OwnedMemory& owner : owners) {
    for (const MemoryPart& part : owner.parts) {
      if (table.rows.size() == limit) break;
      table.rows.push_back({{titleOf(owner.owner)},
                            {withoutGivenName(part.name)},
                            bytesCell(part.bytes),
                            percentCell(part.bytes, memory.mappedBytes),
                            bytesCell(part.inDumpBytes),
                            countCell(part.mappings),
                            addressCell(part.address)});
    }
  }
  table.rowsLeftOut = memory.parts.size() - std::min(memory.parts.size(), table.rows.size());
  return table;
}

}  // namespace

Outcome<void> addMemoryPages(const ReportInput& input, ReviewPages& pages) {
  HEAPSCAPE_TRY(const ProcessMemory memory, processMemoryOf(input.snapshot, input.stop));
  pages.push_back(
      {.title = "Whose the process's memory is", .remark = remarkOf(memory), .content = memoryPicture(memory)});
  pages.push_back({.title = "Memory by owner", .content = partTable(memory, input.options.rows)});
  return {};
}

}  // namespace heapscape::engine
