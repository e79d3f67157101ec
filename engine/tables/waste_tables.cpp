// SPDX-License-Identifier: MIT
#include "tables/waste_tables.h"

#include <array>

#include "metadata/names/generated_names.h"
#include "metadata/names/type_name.h"
#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

std::string meansText(const WasteRow& row) {
  if (!row.separation.empty()) return "(on purpose)";
  return row.means == AdviceKind::NothingToGain ? "" : toString(row.means);
}

std::vector<ColumnOf<WasteRow>> wasteColumns() {
  using Row = WasteRow;
  return {
      column<Row>({.name = "metadataName",
                   .title = "Name in metadata",
                   .meaning = "Full name as metadata spells it.",
                   .jsonName = "type"},
                  [](const Row& r) { return metadataTypeName(r.type); }),
      typeNameColumn<Row>(&Row::type),
      column<Row>(
          {.name = "assembly", .title = "Assembly", .meaning = "File name of the assembly.", .isSearched = true},
          &Row::assembly),
      column<Row>({.name = "namespace", .title = "Namespace", .meaning = "Namespace of the type."}, &Row::nameSpace),
      methodTableColumn<Row>(&Row::methodTable),
      column<Row>({.name = "kind",
                   .title = "Kind",
                   .meaning = "What kind of type it is.",
                   .kind = ColumnKind::Choice,
                   .choices = namesOf<TypeKind>()},
                  &Row::kind),
      column<Row>({.name = "framework",
                   .title = "Framework",
                   .meaning = "A type of System or Microsoft: not the program's to change.",
                   .kind = ColumnKind::Flag},
                  &Row::isFramework),
      column<Row>({.name = "count",
                   .title = "Objects",
                   .meaning = "Of exactly this type; boxes of a value type.",
                   .kind = ColumnKind::Count,
                   .isAdditive = true,
                   .hidesZero = true},
                  &Row::count),
      column<Row>({.name = "elements",
                   .title = "Elements",
                   .meaning = "Elements of arrays.",
                   .kind = ColumnKind::Count,
                   .hidesZero = true},
                  &Row::elements),
      column<Row>({.name = "nested",
                   .title = "Nested",
                   .meaning = "Fields of this type inside other objects and elements.",
                   .kind = ColumnKind::Count,
                   .hidesZero = true},
                  &Row::nested),
      column<Row>({.name = "derived",
                   .title = "Derived",
                   .meaning = "Objects of classes below.",
                   .kind = ColumnKind::Count,
                   .hidesZero = true},
                  &Row::derived),
      column<Row>({.name = "padding",
                   .title = "Padding",
                   .meaning = "Bytes that no field uses, in all of its instances, elements and nested values.",
                   .kind = ColumnKind::Bytes,
                   .jsonName = "paddingBytes",
                   .hidesZero = true},
                  &Row::paddingBytes),
      column<Row>({.name = "ownPadding",
                   .title = "Own padding",
                   .meaning = "The same without nested values: these add up over all types.",
                   .kind = ColumnKind::Bytes,
                   .isAdditive = true,
                   .jsonName = "ownPaddingBytes",
                   .hidesZero = true},
                  &Row::ownPaddingBytes),
      column<Row>({.name = "size",
                   .title = "Size",
                   .meaning = "Bytes of an object of a class, with its header, or of a value.",
                   .kind = ColumnKind::Bytes},
                  &Row::instanceBytes),
      column<Row>({.name = "bestSize",
                   .title = "Best",
                   .meaning = "The same in the best declaration.",
                   .kind = ColumnKind::Bytes},
                  &Row::bestBytes),
      column<Row>({.name = "saved",
                   .title = "Best saves",
                   .meaning = "What the heap would shrink by if this type alone were declared its best.",
                   .kind = ColumnKind::SavedBytes,
                   .jsonName = "savedBytes",
                   .hidesZero = true},
                  &Row::savedByBest),
      column<Row>({.name = "savedByAuto",
                   .title = "Auto saves",
                   .meaning = "What declaring it LayoutKind.Auto would win back.",
                   .kind = ColumnKind::SavedBytes,
                   .jsonName = "auto",
                   .group = "savings"},
                  &Row::savedByAuto),
      column<Row>({.name = "savedBySequential",
                   .title = "Sequential",
                   .meaning = "What declaring it LayoutKind.Sequential would win back.",
                   .kind = ColumnKind::SavedBytes,
                   .jsonName = "sequential",
                   .group = "savings"},
                  &Row::savedBySequential),
      column<Row>({.name = "savedByBest",
                   .title = "Best of all",
                   .meaning = "The same as for the best declaration.",
                   .kind = ColumnKind::SavedBytes,
                   .jsonName = "best",
                   .group = "savings"},
                  &Row::savedByBest),
      column<Row>({.name = "means",
                   .title = "Means",
                   .meaning = "What the best declaration changes.",
                   .kind = ColumnKind::Choice,
                   .choices = namesOf<AdviceKind>()},
                  &Row::means),
      column<Row>({.name = "order",
                   .title = "Order",
                   .meaning = "Its own fields in the best declaration.",
                   .kind = ColumnKind::Words,
                   .between = ","},
                  &Row::order),
      column<Row>({.name = "bestOrder",
                   .title = "Best order of fields",
                   .meaning = "The same as order, as C# spells the fields.",
                   .kind = ColumnKind::Words,
                   .between = ", ",
                   .isInJson = false},
                  bestOrderOf),
      column<Row>({.name = "separated", .title = "Separated", .meaning = "Why its padding is there on purpose."},
                  [](const Row& r) { return r.separation.empty() ? Cell() : Cell(r.separation); }),
      column<Row>(
          {.name = "by",
           .title = "By",
           .meaning = "The same as means; nothing where nothing is to be gained, or padding is there on purpose.",
           .isInJson = false},
          meansText)};
}

}  // namespace

Cell::Words bestOrderOf(const WasteRow& row) {
  Cell::Words fields;
  for (const std::string& field : row.order) fields.emplace_back(csharpFieldName(field));
  return fields;
}

const TableOf<WasteRow>& wasteTable() {
  static const TableOf<WasteRow> table{
      "waste",
      wasteColumns(),
      {"saved", "by", "ownPadding", "size", "bestSize", "count", "elements", "nested", "derived", "assembly", "type"},
      {"metadataName", "assembly", "methodTable", "framework", "count", "elements", "nested", "derived", "padding",
       "ownPadding", "size", "bestSize", "means", "savedByAuto", "savedBySequential", "saved", "order", "separated"}};
  return table;
}

const TableOf<WasteGroup>& wasteGroupsTable() {
  using Row = WasteGroup;
  static const TableOf<Row> table{
      "groups",
      {column<Row>({.name = "name", .title = "Name", .meaning = "Of the namespace or assembly.", .isSearched = true},
                   &Row::name),
       column<Row>({.name = "types",
                    .title = "Types",
                    .meaning = "Types with padding or something to save.",
                    .kind = ColumnKind::Count,
                    .isAdditive = true},
                   &Row::types),
       column<Row>({.name = "ownPadding",
                    .title = "Own padding",
                    .meaning = "Bytes that no field uses, each counted once.",
                    .kind = ColumnKind::Bytes,
                    .isAdditive = true,
                    .jsonName = "ownPaddingBytes",
                    .hidesZero = true},
                   &Row::ownPaddingBytes),
       column<Row>({.name = "saved",
                    .title = "Best saves",
                    .meaning = "The savings of its types added up: nearly what all of them together would save.",
                    .kind = ColumnKind::SavedBytes,
                    .jsonName = "savedBytes",
                    .hidesZero = true},
                   &Row::savedByBest)},
      {"saved", "ownPadding", "types", "name"}};
  return table;
}

}  // namespace heapscape::engine
