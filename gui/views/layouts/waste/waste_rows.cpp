// SPDX-License-Identifier: MIT
#include "views/layouts/waste/waste_rows.h"

#include <QObject>
#include <cstdlib>
#include <utility>

#include "tables/waste_tables.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using engine::WasteGroup;
using engine::WasteRow;

QString exactSaving(std::int64_t bytes) {
  if (bytes == 0) return u"The heap would stay as large as it is."_s;
  const auto amount = exactBytesText(static_cast<std::uint64_t>(std::abs(bytes)));
  return bytes > 0 ? u"The heap would shrink by %1."_s.arg(amount) : u"The heap would grow by %1."_s.arg(amount);
}

QString meansText(engine::AdviceKind means) {
  switch (means) {
    case engine::AdviceKind::NothingToGain:
      return u"nothing to gain"_s;
    case engine::AdviceKind::Reorder:
      return u"reordering"_s;
    case engine::AdviceKind::AutoAttribute:
      return u"Auto attribute"_s;
    case engine::AdviceKind::SequentialOrder:
      return u"sequential order"_s;
    case engine::AdviceKind::ExplicitOffsets:
      return u"explicit offsets"_s;
    case engine::AdviceKind::Pack:
      return u"packed"_s;
    case engine::AdviceKind::MergeBools:
      return u"bools merged"_s;
    case engine::AdviceKind::SplitColdFields:
      break;
  }
  return u"cold fields split off"_s;
}

QString meansText(const WasteRow& row) {
  return row.separation.empty() ? meansText(row.means) : u"separated on purpose"_s;
}

QString meansDetail(const WasteRow& row) {
  QStringList lines{row.separation.empty() ? meansText(row.means) : fromEngine(row.separation)};
  if (row.means != engine::AdviceKind::NothingToGain && !row.order.empty()) {
    QStringList names;
    for (const std::string& name : row.order) names << fromEngine(name);
    lines << u"Fields in this order: %1"_s.arg(names.join(u", "_s));
  }
  if (row.isFramework) lines << u"A type of the framework: not yours to change."_s;
  return lines.join(QLatin1Char('\n'));
}

RowColumn<WasteRow> sizeColumn(const char* field) {
  return {.setup = {.field = field, .letters = 7}, .detail = [](const WasteRow& row) {
            return u"%1 now, %2 at best"_s.arg(exactBytesText(row.instanceBytes), exactBytesText(row.bestBytes));
          }};
}

RowColumn<WasteRow> savingColumn(const char* field, std::int64_t WasteRow::*saving, ColumnBar bar) {
  return {.setup = {.field = field, .hidesZero = true, .bar = bar},
          .detail = [saving](const WasteRow& row) { return exactSaving(row.*saving); }};
}

RowColumn<WasteRow> typeColumn() {
  return {.setup = {.field = "type", .letters = 34, .stretches = true},
          .type = &WasteRow::methodTable,
          .detail = [](const WasteRow& row) {
            return fromEngine(row.type) + QLatin1Char('\n') + fromEngine(row.assembly);
          }};
}

RowColumn<WasteRow> paddingColumn(std::uint64_t ofHeap, std::uint64_t heapBytes) {
  return {.setup = {.field = "padding", .bar = ColumnBar::Padding}, .detail = [ofHeap, heapBytes](const WasteRow& row) {
            return u"%1, of which %2 are its own and not a nested value's.\nThose are %3 of all padding "
                   "of this heap, and %4 of the bytes of its objects."_s.arg(
                       exactBytesText(row.paddingBytes), exactBytesText(row.ownPaddingBytes),
                       percentText(row.ownPaddingBytes, ofHeap), percentText(row.ownPaddingBytes, heapBytes));
          }};
}

std::vector<RowKind> wasteKinds() {
  return {{.name = u"Own types"_s, .tip = u"Declared in assemblies that are not the framework's"_s},
          {.name = u"Framework"_s, .tip = u"Types of System and Microsoft: not yours to change"_s}};
}

}  // namespace

RowSchema<WasteRow> wasteSchema(const engine::Waste& waste) {
  RowSchema<WasteRow> schema{.table = &engine::wasteTable()};
  schema.columns.push_back(typeColumn());
  schema.columns.push_back(savingColumn("saved", &WasteRow::savedByBest, ColumnBar::Plain));
  schema.columns.push_back(paddingColumn(waste.paddingBytes, waste.heapBytes));
  for (const char* field : {"count", "elements", "nested"})
    schema.columns.push_back({.setup = {.field = field, .letters = 10}});
  schema.columns.push_back(sizeColumn("size"));
  schema.columns.push_back(sizeColumn("bestSize"));
  schema.columns.push_back({.setup = {.field = "by", .letters = 26},
                            .words = [](const WasteRow& row) { return meansText(row); },
                            .detail = meansDetail});
  schema.columns.push_back(savingColumn("savedByAuto", &WasteRow::savedByAuto, ColumnBar::None));
  schema.columns.push_back(savingColumn("savedBySequential", &WasteRow::savedBySequential, ColumnBar::None));
  schema.columns.push_back({.setup = {.field = "assembly", .letters = 24}});
  schema.kinds = wasteKinds();
  schema.kindOf = [](const WasteRow& row) {
    return static_cast<std::size_t>(row.isFramework ? WasteKind::Framework : WasteKind::Own);
  };
  schema.identity = [](const WasteRow& row) { return row.methodTable; };
  return schema;
}

RowSchema<WasteGroup> wasteGroupSchema(engine::WasteGrouping grouping) {
  const bool isNamespace = grouping == engine::WasteGrouping::Namespace;
  RowSchema<WasteGroup> schema{.table = &engine::wasteGroupsTable()};
  schema.columns.push_back(
      {.setup =
           {.field = "name", .title = isNamespace ? u"Namespace"_s : u"Assembly"_s, .letters = 34, .stretches = true},
       .words = [](const WasteGroup& group) { return group.name.empty() ? u"(none)"_s : fromEngine(group.name); }});
  schema.columns.push_back(
      {.setup = {.field = "saved", .bar = ColumnBar::Plain}, .detail = [](const WasteGroup& group) {
         return exactSaving(group.savedByBest) + QLatin1Char('\n') +
                u"Added up over its types; nearly right where one holds another."_s;
       }});
  schema.columns.push_back({.setup = {.field = "ownPadding", .letters = 14, .bar = ColumnBar::Padding}});
  schema.columns.push_back({.setup = {.field = "types"}});
  return schema;
}

WasteTables wasteTables(engine::Waste waste) {
  const auto groups = [&waste](engine::WasteGrouping grouping) {
    return makeRowList(engine::groupWaste(waste, grouping), wasteGroupSchema(grouping));
  };
  WasteTables tables;
  tables.nameSpaces = groups(engine::WasteGrouping::Namespace);
  tables.assemblies = groups(engine::WasteGrouping::Assembly);
  const RowSchema<WasteRow> schema = wasteSchema(waste);
  tables.types = makeRowList(std::exchange(waste.rows, {}), schema);
  tables.waste = std::move(waste);
  return tables;
}

}  // namespace heapscape::gui
