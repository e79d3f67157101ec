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
      textColumn<Row>("name", "Module", "File name, or the name of an assembly without file.", of(&ModuleRow::name))
          .searched(),
      textColumn<Row>("path", "Path", "Path on the machine of the dump.", of(&ModuleRow::path)).searched(),
      textColumn<Row>("mvid", "MVID", "Id of this very build of it.", of(&ModuleRow::mvid)).searched(),
      addressColumn<Row>("imageBase", "Image at", "Where the file is mapped; nowhere for one made at run time.",
                         of(&ModuleRow::imageBase))
          .searched(),
      bytesColumn<Row>("size", "Size", "Size of the file as it is mapped.", of(&ModuleRow::sizeBytes))
          .additive()
          .hidingZero(),
      choiceColumn<Row>("metadata", "Metadata", "Where its metadata was found.", of(&ModuleRow::metadata)),
      textColumn<Row>("metadataFile", "Metadata's file", "The file that metadata was read from.",
                      [](const Row& r) { return orNothing(r.metadataFile); }),
      textColumn<Row>("metadataProof", "Why it is the same", "What proves that the file is the one that was mapped.",
                      [](const Row& r) { return orNothing(r.metadataProof); }),
      flagColumn<Row>("readyToRun", "ReadyToRun", "It brought native code along.", of(&ModuleRow::isReadyToRun)),
      flagColumn<Row>("dynamic", "Made at run time", "By Reflection.Emit, or for dynamic methods.",
                      of(&ModuleRow::isDynamic)),
      flagColumn<Row>("collectible", "Collectible", "It can be unloaded.", of(&ModuleRow::isCollectible)),
      textColumn<Row>("loadContext", "Load context", "Name or type of its AssemblyLoadContext.",
                      of(&ModuleRow::loadContext))
          .searched(),
      addressColumn<Row>("address", "Module at", "Address of the runtime's Module.", of(&ModuleRow::address))
          .searched(),
  };
}

}  // namespace

const TableOf<StringGroup>& stringsTable() {
  using Row = StringGroup;
  static const TableOf<Row> table{
      "strings",
      {textColumn<Row>("value", "Characters", "The first 200 characters.", &Row::value).searched().contents(),
       countColumn<Row>("length", "Length", "UTF-16 units of one of them.", &Row::length),
       countColumn<Row>("count", "Count", "Strings with these characters.", &Row::count).additive(),
       bytesColumn<Row>("bytes", "Bytes", "What all of them take up.", &Row::bytes).additive(),
       bytesColumn<Row>("wasted", "Wasted", "What all but one take up.", &Row::wastedBytes)
           .additive()
           .inJsonAs("wastedBytes"),
       addressColumn<Row>("example", "Example", "The first of them.", &Row::example).searched()},
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
