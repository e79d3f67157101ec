// SPDX-License-Identifier: MIT
#include "tables/heap_tables.h"

#include <array>

#include "session/open/missing_files.h"
#include "session/types/type_query.h"
#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

// What the row may have or not.
template <class Value>
Cell orNothing(const std::optional<Value>& value) {
  return value ? Cell(*value) : Cell();
}

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

std::vector<ColumnOf<ListedModule>> moduleColumns() {
  using Row = ListedModule;
  const auto of = [](auto member) { return [member](const Row& r) { return r.module.*member; }; };
  return {
      column<Row>({.name = "name",
                   .title = "Module",
                   .meaning = "File name, or the name of an assembly without file.",
                   .isSearched = true},
                  of(&ModuleRow::name)),
      column<Row>({.name = "path", .title = "Path", .meaning = "Path on the machine of the dump.", .isSearched = true},
                  of(&ModuleRow::path)),
      column<Row>({.name = "mvid", .title = "MVID", .meaning = "Id of this very build of it.", .isSearched = true},
                  of(&ModuleRow::mvid)),
      column<Row>({.name = "imageBase",
                   .title = "Image at",
                   .meaning = "Where the file is mapped; nowhere for one made at run time.",
                   .kind = ColumnKind::Address,
                   .isSearched = true},
                  of(&ModuleRow::imageBase)),
      column<Row>({.name = "size",
                   .title = "Size",
                   .meaning = "Size of the file as it is mapped.",
                   .kind = ColumnKind::Bytes,
                   .isAdditive = true,
                   .hidesZero = true},
                  of(&ModuleRow::sizeBytes)),
      column<Row>({.name = "metadata",
                   .title = "Metadata",
                   .meaning = "Where its metadata was found.",
                   .kind = ColumnKind::Choice,
                   .choices = namesOf<MetadataSource>()},
                  of(&ModuleRow::metadata)),
      column<Row>(
          {.name = "metadataFile", .title = "Metadata's file", .meaning = "The file that metadata was read from."},
          [](const Row& r) { return orNothing(r.metadataFile); }),
      column<Row>({.name = "metadataProof",
                   .title = "Why it is the same",
                   .meaning = "What proves that the file is the one that was mapped."},
                  [](const Row& r) { return orNothing(r.metadataProof); }),
      column<Row>({.name = "readyToRun",
                   .title = "ReadyToRun",
                   .meaning = "It brought native code along.",
                   .kind = ColumnKind::Flag},
                  of(&ModuleRow::isReadyToRun)),
      column<Row>({.name = "dynamic",
                   .title = "Made at run time",
                   .meaning = "By Reflection.Emit, or for dynamic methods.",
                   .kind = ColumnKind::Flag},
                  of(&ModuleRow::isDynamic)),
      column<Row>(
          {.name = "collectible", .title = "Collectible", .meaning = "It can be unloaded.", .kind = ColumnKind::Flag},
          of(&ModuleRow::isCollectible)),
      column<Row>({.name = "loadContext",
                   .title = "Load context",
                   .meaning = "Name or type of its AssemblyLoadContext.",
                   .isSearched = true},
                  of(&ModuleRow::loadContext)),
      column<Row>({.name = "address",
                   .title = "Module at",
                   .meaning = "Address of the runtime's Module.",
                   .kind = ColumnKind::Address,
                   .isSearched = true},
                  of(&ModuleRow::address)),
  };
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

const TableOf<StringGroup>& stringsTable() {
  using Row = StringGroup;
  static const TableOf<Row> table{
      "strings",
      {column<Row>({.name = "value",
                    .title = "Characters",
                    .meaning = "The first 200 characters.",
                    .isSearched = true,
                    .holdsContents = true},
                   &Row::value),
       column<Row>(
           {.name = "length", .title = "Length", .meaning = "UTF-16 units of one of them.", .kind = ColumnKind::Count},
           &Row::length),
       column<Row>({.name = "count",
                    .title = "Count",
                    .meaning = "Strings with these characters.",
                    .kind = ColumnKind::Count,
                    .isAdditive = true},
                   &Row::count),
       column<Row>({.name = "bytes",
                    .title = "Bytes",
                    .meaning = "What all of them take up.",
                    .kind = ColumnKind::Bytes,
                    .isAdditive = true},
                   &Row::bytes),
       column<Row>({.name = "wasted",
                    .title = "Wasted",
                    .meaning = "What all but one take up.",
                    .kind = ColumnKind::Bytes,
                    .isAdditive = true,
                    .jsonName = "wastedBytes"},
                   &Row::wastedBytes),
       column<Row>({.name = "example",
                    .title = "Example",
                    .meaning = "The first of them.",
                    .kind = ColumnKind::Address,
                    .isSearched = true},
                   &Row::example)},
      {"wasted", "bytes", "count", "length", "example", "value"},
      {"length", "count", "bytes", "wasted", "example", "value"}};
  return table;
}

std::vector<ListedModule> listModules(const Snapshot& snapshot) {
  std::vector<ListedModule> modules;
  for (const ModuleRow& module : snapshot.modules()) {
    ListedModule& listed = modules.emplace_back(ListedModule{.module = module});
    if (const auto file = metadataFileOf(snapshot, module)) {
      listed.metadataFile = file->path.string();
      listed.metadataProof = file->proof;
    }
  }
  return modules;
}

const TableOf<ListedModule>& modulesTable() {
  static const TableOf<ListedModule> table{
      "modules",
      moduleColumns(),
      {"name", "imageBase", "size", "loadContext", "readyToRun", "dynamic", "collectible", "metadata", "path"}};
  return table;
}

}  // namespace heapscape::engine
