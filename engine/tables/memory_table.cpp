// SPDX-License-Identifier: MIT
#include "tables/memory_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/given_name.h"
#include "session/process/process_memory.h"

namespace heapscape::engine {

namespace {

template <class Row>
ColumnOf<Row> mappedColumn(std::uint64_t Row::*bytes) {
  return bytesColumn<Row>("bytes", "Mapped", "Memory of the process.", bytes).additive();
}

template <class Row>
ColumnOf<Row> inDumpColumn(std::uint64_t Row::*bytes) {
  return bytesColumn<Row>("inDump", "In the dump", "What the dump holds of it.", bytes).additive();
}

double shareOfMapped(const MemoryLine& line) {
  return line.mappedBytes ? static_cast<double>(line.bytes) / static_cast<double>(line.mappedBytes) : 0;
}

}  // namespace

const TableOf<MemoryPart>& memoryTable() {
  using Row = MemoryPart;
  static const TableOf<Row> table{
      "memory",
      {choiceColumn<Row>("owner", "Owner", "Whose it is.", &Row::owner).inJsonAs("category").searched(),
       textColumn<Row>("name", "What", "Generation, thread, file or kind of it; empty if there is no more to say.",
                       &Row::name)
           .searched()
           .redactedTo([](const Row& r) { return Cell(withoutGivenName(r.name)); }),
       textColumn<Row>("path", "Path", "Of a mapped file, on the machine of the dump.",
                       [](const Row& r) { return r.path.empty() ? Cell() : Cell(r.path); }),
       addressColumn<Row>("address", "First at", "Where the first of it lies.", &Row::address).searched(),
       countColumn<Row>("mappings", "Mappings", "Ranges of addresses that it lies in.", &Row::mappings)
           .additive()
           .hidingZero(),
       mappedColumn(&Row::bytes), inDumpColumn(&Row::inDumpBytes).hidingZero(),
       textColumn<Row>("whose", "Whose", "The owner in words.", [](const Row& r) { return titleOf(r.owner); })
           .notInJson()},
      {"owner", "name", "bytes", "inDump", "mappings", "address"},
      {"owner", "name", "path", "address", "mappings", "bytes", "inDump"}};
  return table;
}

std::vector<MemoryLine> listMemoryLines(const ProcessMemory& memory, std::size_t partsOfOwner) {
  std::vector<MemoryLine> lines;
  MemoryLine all{.title = "All", .bytes = memory.mappedBytes, .mappedBytes = memory.mappedBytes};
  const auto add = [&](std::string title, std::uint64_t bytes, std::uint64_t inDump) {
    lines.push_back({std::move(title), bytes, inDump, memory.mappedBytes});
  };
  for (const OwnedMemory& owner : memoryByOwner(memory)) {
    all.inDumpBytes += owner.inDumpBytes;
    add(titleOf(owner.owner), owner.bytes, owner.inDumpBytes);
    OwnedMemory rest = owner;
    for (const MemoryPart& part : owner.parts.first(std::min(partsOfOwner, owner.parts.size()))) {
      rest.bytes -= part.bytes;
      rest.inDumpBytes -= part.inDumpBytes;
      rest.parts = rest.parts.subspan(1);
      if (owner.parts.size() > 1 || !part.name.empty())
        add("  " + (part.name.empty() ? std::string("without a name") : part.name), part.bytes, part.inDumpBytes);
    }
    if (!rest.parts.empty()) add(fmt::format("  {} more", rest.parts.size()), rest.bytes, rest.inDumpBytes);
  }
  lines.push_back(std::move(all));
  return lines;
}

const TableOf<MemoryLine>& memoryLinesTable() {
  using Row = MemoryLine;
  static const TableOf<Row> table{
      "owners",
      {textColumn<Row>("owner", "Owner", "Whose it is; below it what it is.", &Row::title).redactedTo([](const Row& r) {
         const std::size_t indent = std::min(r.title.find_first_not_of(' '), r.title.size());
         return Cell(r.title.substr(0, indent) + withoutGivenName(std::string_view(r.title).substr(indent)));
       }),
       mappedColumn(&Row::bytes),
       shareColumn<Row>("share", "Share", "Part of all that is mapped, 0 to 1.", shareOfMapped),
       inDumpColumn(&Row::inDumpBytes)}};
  return table;
}

}  // namespace heapscape::engine
