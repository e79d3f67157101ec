// SPDX-License-Identifier: MIT
#include "report/memory_text.h"

#include <fmt/format.h>

#include "report/memory_totals.h"
#include "report/text.h"
#include "report/text_table.h"
#include "report/tsv_line.h"

namespace heapscape::engine {
namespace {

using Align = TextTable::Align;

// Of each owner, where nobody said how many: a process maps hundreds of files.
constexpr std::size_t kPartsOfOwner = 10;

const char* titleOf(MemoryOwner owner) {
  switch (owner) {
    case MemoryOwner::GcUsed:
      return "GC heap, objects";
    case MemoryOwner::GcFree:
      return "GC heap, free between objects";
    case MemoryOwner::GcCommittedUnused:
      return "GC heap, committed but unused";
    case MemoryOwner::GcBookkeeping:
      return "GC bookkeeping";
    case MemoryOwner::LoaderHeap:
      return "Loader heaps";
    case MemoryOwner::JitCode:
      return "JIT code";
    case MemoryOwner::ThreadStack:
      return "Thread stacks";
    case MemoryOwner::MappedFile:
      return "Mapped files";
    case MemoryOwner::NativeHeap:
      return "Native memory";
    case MemoryOwner::Other:
      return "Other";
  }
  return "Other";
}

std::vector<std::string> cellsOf(std::string title, std::uint64_t bytes, std::uint64_t inDump, std::uint64_t whole) {
  return {std::move(title), readableBytes(bytes),
          fmt::format("{:.1f}%", whole ? 100.0 * static_cast<double>(bytes) / static_cast<double>(whole) : 0.0),
          readableBytes(inDump)};
}

}  // namespace

void writeMemoryText(Output& output, const ProcessMemory& memory, const RowSelection& selection) {
  TextTable table({{"Owner"}, {"Mapped", Align::Right}, {"Share", Align::Right}, {"In the dump", Align::Right}});
  const std::size_t limit = std::min(selection.limit, selection.limit == SIZE_MAX ? kPartsOfOwner : SIZE_MAX);
  std::uint64_t inDump = 0;
  auto part = memory.parts.begin();
  for (const OwnerTotals& owner : totalsByOwner(memory)) {
    inDump += owner.inDumpBytes;
    table.addRow(cellsOf(titleOf(owner.owner), owner.bytes, owner.inDumpBytes, memory.mappedBytes));
    std::size_t shown = 0;
    std::size_t leftOut = 0;
    std::uint64_t bytesLeftOut = 0;
    std::uint64_t inDumpLeftOut = 0;
    for (; part != memory.parts.end() && part->owner == owner.owner; ++part) {
      if (shown++ < limit) {
        if (!part->name.empty())
          table.addRow(cellsOf("  " + part->name, part->bytes, part->inDumpBytes, memory.mappedBytes));
      } else {
        ++leftOut;
        bytesLeftOut += part->bytes;
        inDumpLeftOut += part->inDumpBytes;
      }
    }
    if (leftOut)
      table.addRow(cellsOf(fmt::format("  {} more", leftOut), bytesLeftOut, inDumpLeftOut, memory.mappedBytes));
  }
  table.addRow(cellsOf("All", memory.mappedBytes, inDump, memory.mappedBytes));
  table.write(output);
  output.write(
      fmt::format("Reserved addresses without memory behind them: {}.\n", readableBytes(memory.reservedBytes)));
  if (!memory.remark.empty()) output.write(memory.remark + "\n");
}

void writeMemoryTsv(Output& output, const ProcessMemory& memory, const RowSelection& selection) {
  writeTsvLine(output, {"category", "name", "path", "address", "mappings", "bytes", "inDump"});
  for (const MemoryPart& part : selection.of(memory.parts)) {
    if (output.hasFailed()) return;
    writeTsvLine(output,
                 {toString(part.owner), part.name, part.path, toString(part.address), fmt::format("{}", part.mappings),
                  fmt::format("{}", part.bytes), fmt::format("{}", part.inDumpBytes)});
  }
}

}  // namespace heapscape::engine
