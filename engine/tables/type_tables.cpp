// SPDX-License-Identifier: MIT
#include "tables/type_tables.h"

#include "session/types/type_query.h"
#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

std::vector<ColumnOf<ListedType>> typeColumns() {
  using Row = ListedType;
  std::vector<ColumnOf<Row>> columns{
      typeNameColumn<Row>(&Row::name),
      column<Row>({.name = "methodTable",
                   .title = "Method table",
                   .meaning = "Address of the type's method table.",
                   .kind = ColumnKind::Address,
                   .isSearched = true},
                  &Row::methodTable),
      assemblyColumn<Row>(&Row::assembly),
      loadContextColumn<Row>(&Row::loadContext),
      column<Row>({.name = "count",
                   .title = "Objects",
                   .meaning = "Objects of the type.",
                   .kind = ColumnKind::Count,
                   .isAdditive = true},
                  &Row::count),
      column<Row>({.name = "bytes",
                   .title = "Bytes",
                   .meaning = "What they take up in the heap.",
                   .kind = ColumnKind::Bytes,
                   .isAdditive = true},
                  &Row::bytes),
      column<Row>({.name = "share",
                   .title = "Share",
                   .meaning = "Their part of all bytes in the heap, 0 to 1.",
                   .kind = ColumnKind::Share,
                   .isInJson = false},
                  &Row::share),
      column<Row>({.name = "padding",
                   .title = "Padding",
                   .meaning = "Padding in all of them, own and nested.",
                   .kind = ColumnKind::Bytes,
                   .isAdditive = true,
                   .share = "paddingShare",
                   .jsonName = "paddingBytes"},
                  &Row::paddingBytes),
      column<Row>({.name = "retained",
                   .title = "Retained",
                   .meaning = "What would be freed with all of them that can be reached.",
                   .kind = ColumnKind::Bytes,
                   .jsonName = "retainedBytes"},
                  [](const Row& r) { return orNothing(r.retainedBytes); }),
      column<Row>({.name = "reachable",
                   .title = "Reachable",
                   .meaning = "How many of them can be reached.",
                   .kind = ColumnKind::Count},
                  [](const Row& r) { return orNothing(r.reachable); }),
  };
  for (const Generation generation : kGenerations) {
    const auto place = static_cast<std::size_t>(generation);
    columns.push_back(column<Row>({.name = toString(generation),
                                   .title = toString(generation),
                                   .meaning = "Bytes of its objects there.",
                                   .kind = ColumnKind::Bytes,
                                   .group = "generations",
                                   .hidesZero = true},
                                  [place](const Row& r) { return r.generationBytes[place]; }));
  }
  columns.insert(
      columns.end(),
      {
          column<Row>({.name = "instanceSize",
                       .title = "Instance",
                       .meaning = "Size of one object without array elements.",
                       .kind = ColumnKind::Bytes,
                       .jsonName = "baseSize"},
                      &Row::baseSize),
          column<Row>({.name = "elementSize",
                       .title = "Element",
                       .meaning = "Size of an array element; 0 for other types.",
                       .kind = ColumnKind::Bytes,
                       .jsonName = "componentSize",
                       .hidesZero = true},
                      &Row::componentSize),
          column<Row>({.name = "average",
                       .title = "Average",
                       .meaning = "Bytes of one object, on average.",
                       .kind = ColumnKind::Bytes,
                       .isInJson = false},
                      [](const Row& r) { return r.count ? r.bytes / r.count : 0; }),
          column<Row>(
              {.name = "namespace", .title = "Namespace", .meaning = "Namespace of the type.", .isInJson = false},
              [](const Row& r) { return namespaceOf(r.name); }),
          column<Row>({.name = "paddingShare",
                       .title = "Padding share",
                       .meaning = "Padding as a part of what they take up, 0 to 1.",
                       .kind = ColumnKind::Share,
                       .isInJson = false},
                      [](const Row& r) {
                        return r.bytes ? static_cast<double>(r.paddingBytes) / static_cast<double>(r.bytes) : 0.0;
                      }),
          ownColumn<Row>(&Row::assembly),
      });
  return columns;
}

}  // namespace

ListedType listedType(const Snapshot& snapshot, const TypeCounts& counts, TypeId type) {
  const TypeRow& row = snapshot.types()[type.value];
  ListedType listed{.name = row.name,
                    .assembly = row.assembly,
                    .loadContext = row.loadContext,
                    .methodTable = row.methodTable,
                    .baseSize = row.baseSize,
                    .componentSize = row.componentSize,
                    .count = counts.count[type.value],
                    .bytes = counts.bytes[type.value],
                    .paddingBytes = paddingBytesOf(snapshot, counts, type)};
  if (const std::uint64_t whole = snapshot.totals().bytes)
    listed.share = static_cast<double>(listed.bytes) / static_cast<double>(whole);
  if (!counts.generationBytes.empty()) listed.generationBytes = counts.generationBytes[type.value];
  if (!snapshot.typeRetained().empty()) {
    listed.retainedBytes = snapshot.typeRetained()[type.value].retainedBytes;
    listed.reachable = snapshot.typeRetained()[type.value].instances;
  }
  return listed;
}

const TableOf<ListedType>& typesTable() {
  static const TableOf<ListedType> table{"types",
                                         typeColumns(),
                                         {"count", "bytes", "share", "padding", "retained", "type"},
                                         {"type", "methodTable", "assembly", "count", "bytes", "padding", "gen0",
                                          "gen1", "gen2", "large", "pinned", "frozen", "retained"}};
  return table;
}

}  // namespace heapscape::engine
