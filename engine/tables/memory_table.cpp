// SPDX-License-Identifier: MIT
#include "tables/memory_table.h"

#include <array>

#include "base/given_name.h"

namespace heapscape::engine {

namespace {

constexpr std::array kMemoryOwners{MemoryOwner::GcUsed,        MemoryOwner::GcFree,     MemoryOwner::GcCommittedUnused,
                                   MemoryOwner::GcBookkeeping, MemoryOwner::LoaderHeap, MemoryOwner::JitCode,
                                   MemoryOwner::ThreadStack,   MemoryOwner::MappedFile, MemoryOwner::NativeHeap,
                                   MemoryOwner::Other};

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

}  // namespace

const TableOf<MemoryPart>& memoryTable() {
  using Row = MemoryPart;
  static const TableOf<Row> table{
      "memory",
      {column<Row>({.name = "owner",
                    .title = "Owner",
                    .meaning = "Whose it is.",
                    .kind = ColumnKind::Choice,
                    .choices = namesOf(kMemoryOwners),
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
                    .hidesZero = true},
                   &Row::mappings),
       column<Row>({.name = "bytes", .title = "Mapped", .meaning = "Memory of the process.", .kind = ColumnKind::Bytes},
                   &Row::bytes),
       column<Row>({.name = "inDump",
                    .title = "In the dump",
                    .meaning = "What the dump holds of it.",
                    .kind = ColumnKind::Bytes,
                    .hidesZero = true},
                   &Row::inDumpBytes)},
      {"owner", "name", "bytes", "inDump", "mappings", "address"},
      {"owner", "name", "path", "address", "mappings", "bytes", "inDump"}};
  return table;
}

}  // namespace heapscape::engine
