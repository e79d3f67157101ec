// SPDX-License-Identifier: MIT
#include "tables/heap_tables.h"

#include "session/open/missing_files.h"
#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

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
