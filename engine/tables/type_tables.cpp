// SPDX-License-Identifier: MIT
#include "tables/type_tables.h"

#include "session/types/type_owner.h"
#include "session/types/type_query.h"
#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

std::vector<ColumnOf<ListedType>> typeColumns() {
  using Row = ListedType;
  std::vector<ColumnOf<Row>> columns{
      typeNameColumn<Row>(&Row::name),
      addressColumn<Row>("methodTable", "Method table", "Address of the type's method table.", &Row::methodTable)
          .searched(),
      assemblyColumn<Row>(&Row::assembly),
      loadContextColumn<Row>(&Row::loadContext),
      countColumn<Row>("count", "Objects", "Objects of the type.", &Row::count).additive(),
      bytesColumn<Row>("bytes", "Bytes", "What they take up in the heap.", &Row::bytes).additive(),
      shareColumn<Row>("share", "Share", "Their part of all bytes in the heap, 0 to 1.", &Row::share).notInJson(),
      bytesColumn<Row>("padding", "Padding", "Padding in all of them, own and nested.", &Row::paddingBytes)
          .additive()
          .withShare("paddingShare")
          .inJsonAs("paddingBytes"),
      bytesColumn<Row>("retained", "Retained", "What would be freed with all of them that can be reached.",
                       [](const Row& r) { return orNothing(r.retainedBytes); })
          .inJsonAs("retainedBytes"),
      countColumn<Row>("reachable", "Reachable", "How many of them can be reached.",
                       [](const Row& r) { return orNothing(r.reachable); }),
      bytesColumn<Row>("garbage", "Garbage",
                       "What those of them take up that no root leads to: not collected yet. Frozen ones never are.",
                       [](const Row& r) { return orNothing(r.garbageBytes); })
          .additive()
          .inJsonAs("garbageBytes"),
      countColumn<Row>("garbageObjects", "Garbage objects", "How many of them no root leads to, without frozen ones.",
                       [](const Row& r) { return orNothing(r.garbageCount); })
          .additive(),
  };
  for (const Generation generation : kGenerations) {
    const auto place = static_cast<std::size_t>(generation);
    columns.push_back(bytesColumn<Row>(toString(generation), toString(generation), "Bytes of its objects there.",
                                       [place](const Row& r) {
                                         return r.generationBytes ? Cell((*r.generationBytes)[place]) : Cell();
                                       })
                          .inGroup("generations")
                          .hidingZero());
  }
  columns.insert(
      columns.end(),
      {
          bytesColumn<Row>("instanceSize", "Instance", "Size of one object without array elements.", &Row::baseSize)
              .inJsonAs("baseSize"),
          bytesColumn<Row>("elementSize", "Element", "Size of an array element; 0 for other types.",
                           &Row::componentSize)
              .inJsonAs("componentSize")
              .hidingZero(),
          bytesColumn<Row>("average", "Average", "Bytes of one object, on average.",
                           [](const Row& r) { return r.count ? r.bytes / r.count : 0; })
              .notInJson(),
          textColumn<Row>("namespace", "Namespace", "Namespace of the type.",
                          [](const Row& r) { return namespaceOf(r.name); })
              .notInJson(),
          shareColumn<Row>("paddingShare", "Padding share", "Padding as a part of what they take up, 0 to 1.",
                           [](const Row& r) {
                             if (!r.paddingBytes) return Cell(Cell::Unknown{});
                             return Cell(r.bytes ? static_cast<double>(*r.paddingBytes) / static_cast<double>(r.bytes)
                                                 : 0.0);
                           })
              .notInJson(),
          ownColumn<Row>(&Row::assembly),
          codeColumn<Row>(&Row::owner),
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
                    .owner = ownerOf(snapshot, row),
                    .count = counts.count[type.value],
                    .bytes = counts.bytes[type.value]};
  if (!snapshot.isRecorded()) {
    listed.baseSize = row.baseSize;
    listed.componentSize = row.componentSize;
    if (snapshot.hasFields()) listed.paddingBytes = paddingBytesOf(snapshot, counts, type);
    listed.generationBytes.emplace();
  }
  if (const std::uint64_t whole = snapshot.totals().bytes)
    listed.share = static_cast<double>(listed.bytes) / static_cast<double>(whole);
  if (listed.generationBytes && !counts.generationBytes.empty())
    listed.generationBytes = counts.generationBytes[type.value];
  if (!snapshot.typeRetained().empty()) {
    listed.retainedBytes = snapshot.typeRetained()[type.value].retainedBytes;
    listed.reachable = snapshot.typeRetained()[type.value].instances;
  }
  listed.garbageBytes = garbageBytesOf(snapshot, counts, type);
  listed.garbageCount = garbageCountOf(snapshot, counts, type);
  return listed;
}

const TableOf<ListedType>& typesTable() {
  static const TableOf<ListedType> table{"types",
                                         typeColumns(),
                                         {"count", "bytes", "share", "padding", "retained", "garbage", "type"},
                                         {"type", "methodTable", "assembly", "count", "bytes", "padding", "gen0",
                                          "gen1", "gen2", "large", "pinned", "frozen", "retained"}};
  return table;
}

}  // namespace heapscape::engine
