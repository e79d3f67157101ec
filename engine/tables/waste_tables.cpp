// SPDX-License-Identifier: MIT
#include "tables/waste_tables.h"

#include "metadata/names/generated_names.h"
#include "metadata/names/type_name.h"
#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

std::string meansText(const WasteRow& row) {
  if (!row.separation.empty()) return "(on purpose)";
  return row.means == AdviceKind::NothingToGain ? "" : toString(row.means);
}

}  // namespace

Cell::Words bestOrderOf(const WasteRow& row) {
  Cell::Words fields;
  for (const std::string& field : row.order) fields.emplace_back(csharpFieldName(field));
  return fields;
}

const TableOf<WasteRow>& wasteTable() {
  using Row = WasteRow;
  static const TableOf<WasteRow> table{
      "waste",
      {textColumn<Row>("metadataName", "Name in metadata", "Full name as metadata spells it.",
                       [](const Row& r) { return metadataTypeName(r.type); })
           .inJsonAs("type"),
       typeNameColumn<Row>(&Row::type),
       textColumn<Row>("assembly", "Assembly", "File name of the assembly.", &Row::assembly).searched(),
       textColumn<Row>("namespace", "Namespace", "Namespace of the type.", &Row::nameSpace),
       methodTableColumn<Row>(&Row::methodTable),
       choiceColumn<Row>("kind", "Kind", "What kind of type it is.", &Row::kind),
       flagColumn<Row>("framework", "Framework", "A type of System or Microsoft: not the program's to change.",
                       [](const Row& r) { return r.owner == CodeOwner::Framework; }),
       codeColumn<Row>(&Row::owner),
       countColumn<Row>("count", "Objects", "Of exactly this type; boxes of a value type.", &Row::count)
           .additive()
           .hidingZero(),
       countColumn<Row>("elements", "Elements", "Elements of arrays.", &Row::elements).hidingZero(),
       countColumn<Row>("nested", "Nested", "Fields of this type inside other objects and elements.", &Row::nested)
           .hidingZero(),
       countColumn<Row>("derived", "Derived", "Objects of classes below.", &Row::derived).hidingZero(),
       bytesColumn<Row>("padding", "Padding",
                        "Bytes that no field uses, in all of its instances, elements and nested values.",
                        &Row::paddingBytes)
           .inJsonAs("paddingBytes")
           .hidingZero(),
       bytesColumn<Row>("ownPadding", "Own padding", "The same without nested values: these add up over all types.",
                        &Row::ownPaddingBytes)
           .additive()
           .inJsonAs("ownPaddingBytes")
           .hidingZero(),
       bytesColumn<Row>("size", "Size", "Bytes of an object of a class, with its header, or of a value.",
                        &Row::instanceBytes),
       bytesColumn<Row>("bestSize", "Best", "The same in the best declaration.", &Row::bestBytes),
       savedBytesColumn<Row>("saved", "Best saves",
                             "What the heap would shrink by if this type alone were declared its best.",
                             &Row::savedByBest)
           .inJsonAs("savedBytes")
           .hidingZero(),
       savedBytesColumn<Row>("savedByAuto", "Auto saves", "What declaring it LayoutKind.Auto would save.",
                             &Row::savedByAuto)
           .inJsonAs("auto")
           .inGroup("savings"),
       savedBytesColumn<Row>("savedBySequential", "Sequential", "What declaring it LayoutKind.Sequential would save.",
                             &Row::savedBySequential)
           .inJsonAs("sequential")
           .inGroup("savings"),
       savedBytesColumn<Row>("savedByBest", "Best of all", "The same as for the best declaration.", &Row::savedByBest)
           .inJsonAs("best")
           .inGroup("savings"),
       choiceColumn<Row>("means", "Means", "What the best declaration changes.", &Row::means),
       wordsColumn<Row>("order", "Order", "Its own fields in the best declaration.", &Row::order).between(","),
       wordsColumn<Row>("bestOrder", "Best order of fields", "The same as order, as C# spells the fields.", bestOrderOf)
           .between(", ")
           .notInJson(),
       textColumn<Row>("separated", "Separated", "Why its padding is there on purpose.",
                       [](const Row& r) { return r.separation.empty() ? Cell() : Cell(r.separation); }),
       textColumn<Row>("by", "By",
                       "The same as means; nothing where nothing is to be gained, or padding is there on purpose.",
                       meansText)
           .notInJson()},
      {"saved", "by", "ownPadding", "size", "bestSize", "count", "elements", "nested", "derived", "assembly", "type"},
      {"metadataName", "assembly", "methodTable", "framework", "count", "elements", "nested", "derived", "padding",
       "ownPadding", "size", "bestSize", "means", "savedByAuto", "savedBySequential", "saved", "order", "separated"}};
  return table;
}

const TableOf<WasteGroup>& wasteGroupsTable() {
  using Row = WasteGroup;
  static const TableOf<Row> table{
      "groups",
      {textColumn<Row>("name", "Name", "Of the namespace or assembly.", &Row::name).searched(),
       countColumn<Row>("types", "Types", "Types with padding or something to save.", &Row::types).additive(),
       bytesColumn<Row>("ownPadding", "Own padding", "Bytes that no field uses, each counted once.",
                        &Row::ownPaddingBytes)
           .additive()
           .inJsonAs("ownPaddingBytes")
           .hidingZero(),
       savedBytesColumn<Row>("saved", "Best saves",
                             "The savings of its types added up: nearly what all of them together would save.",
                             &Row::savedByBest)
           .inJsonAs("savedBytes")
           .hidingZero()},
      {"saved", "ownPadding", "types", "name"}};
  return table;
}

}  // namespace heapscape::engine
