// SPDX-License-Identifier: MIT
#include "tables/memory_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/given_name.h"
#include "session/process/process_memory.h"

namespace heapscape::engine {

namespace {

ColumnOf<MemoryPart> partName() {
  using Row = MemoryPart;
  ColumnOf<Row> name =
      column<Row>({.name = "name",
                   .title = "What",
                   .meaning = "Generation, thread, file or kind of it; empty if there is no more to say.",
                   .isSearched = true},
                  &Row::name);
  name.redacted = [](const Row& r) { return Cell(withoutGivenName(r.name)); };
  return name;
}

template <class Row>
ColumnOf<Row> mappedColumn(std::uint64_t Row::*bytes) {
  return column<Row>({.name = "bytes",
                      .title = "Mapped",
                      .meaning = "Memory of the process.",
                      .kind = ColumnKind::Bytes,
                      .isAdditive = true},
                     bytes);
}

template <class Row>
ColumnOf<Row> inDumpColumn(std::uint64_t Row::*bytes, bool hidesZero) {
  return column<Row>({.name = "inDump",
                      .title = "In the dump",
                      .meaning = "What the dump holds of it.",
                      .kind = ColumnKind::Bytes,
                      .isAdditive = true,
                      .hidesZero = hidesZero},
                     bytes);
}

ColumnOf<MemoryLine> lineTitle() {
  ColumnOf<MemoryLine> title = column<MemoryLine>(
      {.name = "owner", .title = "Owner", .meaning = "Whose it is; below it what it is."}, &MemoryLine::title);
  title.redacted = [](const MemoryLine& r) {
    const std::size_t indent = std::min(r.title.find_first_not_of(' '), r.title.size());
    return Cell(r.title.substr(0, indent) + withoutGivenName(std::string_view(r.title).substr(indent)));
  };
  return title;
}

double shareOfMapped(const MemoryLine& line) {
  return line.mappedBytes ? static_cast<double>(line.bytes) / static_cast<double>(line.mappedBytes) : 0;
}

}  // namespace

const TableOf<MemoryPart>& memoryTable() {
  using Row = MemoryPart;
  static const TableOf<Row> table{
      "memory",
      {column<Row>({.name = "owner",
                    .title = "Owner",
                    .meaning = "Whose it is.",
                    .kind = ColumnKind::Choice,
                    .choices = namesOf<MemoryOwner>(),
                    .jsonName = "category",
                    .isSearched = true},
                   &Row::owner),
       partName(),
       column<Row>({.name = "path", .title = "Path", .meaning = "Of a mapped file, on the machine of the dump."},
                   [](const Row& r) { return r.path.empty() ? Cell() : Cell(r.path); }),
       column<Row>({.name = "address",
                    .title = "First at",
                    .meaning = "Where the first of it lies.",
                    .kind = ColumnKind::Address,
                    .isSearched = true},
                   &Row::address),
       column<Row>({.name = "mappings",
                    .title = "Mappings",
                    .meaning = "Ranges of addresses that it lies in.",
                    .kind = ColumnKind::Count,
                    .isAdditive = true,
                    .hidesZero = true},
                   &Row::mappings),
       mappedColumn(&Row::bytes), inDumpColumn(&Row::inDumpBytes, true),
       column<Row>({.name = "whose", .title = "Whose", .meaning = "The owner in words.", .isInJson = false},
                   [](const Row& r) { return titleOf(r.owner); })},
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
  static const TableOf<Row> table{"owners",
                                  {lineTitle(), mappedColumn(&Row::bytes),
                                   column<Row>({.name = "share",
                                                .title = "Share",
                                                .meaning = "Part of all that is mapped, 0 to 1.",
                                                .kind = ColumnKind::Share},
                                               shareOfMapped),
                                   inDumpColumn(&Row::inDumpBytes, false)}};
  return table;
}

}  // namespace heapscape::engine
