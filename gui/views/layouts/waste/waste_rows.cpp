// SPDX-License-Identifier: MIT
#include "views/layouts/waste/waste_rows.h"

#include <QObject>
#include <cstdlib>
#include <utility>

#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using engine::WasteGroup;
using engine::WasteRow;

std::uint64_t asNumber(std::int64_t bytes) {
  return static_cast<std::uint64_t>(bytes);
}

QString exactSaving(std::int64_t bytes) {
  if (bytes == 0) return QObject::tr("The heap would stay as large as it is.");
  const auto amount = exactBytesText(static_cast<std::uint64_t>(std::abs(bytes)));
  return bytes > 0 ? QObject::tr("The heap would shrink by %1.").arg(amount)
                   : QObject::tr("The heap would grow by %1.").arg(amount);
}

QString meansText(engine::AdviceKind means) {
  switch (means) {
    case engine::AdviceKind::NothingToGain:
      return QObject::tr("nothing to gain");
    case engine::AdviceKind::Reorder:
      return QObject::tr("reordering");
    case engine::AdviceKind::AutoAttribute:
      return QObject::tr("Auto attribute");
    case engine::AdviceKind::SequentialOrder:
      return QObject::tr("sequential order");
    case engine::AdviceKind::ExplicitOffsets:
      return QObject::tr("explicit offsets");
    case engine::AdviceKind::Pack:
      return QObject::tr("packed");
    case engine::AdviceKind::MergeBools:
      return QObject::tr("bools merged");
    case engine::AdviceKind::SplitColdFields:
      break;
  }
  return QObject::tr("cold fields split off");
}

QString meansText(const WasteRow& row) {
  return row.separation.empty() ? meansText(row.means) : QObject::tr("separated on purpose");
}

QString meansDetail(const WasteRow& row) {
  QStringList lines{row.separation.empty() ? meansText(row.means) : fromEngine(row.separation)};
  if (row.means != engine::AdviceKind::NothingToGain && !row.order.empty()) {
    QStringList names;
    for (const std::string& name : row.order) names << fromEngine(name);
    lines << QObject::tr("Fields in this order: %1").arg(names.join(QStringLiteral(", ")));
  }
  if (row.isFramework) lines << QObject::tr("A type of the framework: not yours to change.");
  return lines.join(QLatin1Char('\n'));
}

RowColumn<WasteRow> countColumn(const QString& title, const QString& tip, std::uint64_t WasteRow::*count) {
  return {.setup = {.title = title, .tip = tip, .look = ColumnLook::Count, .letters = 10, .hidesZero = true},
          .number = [count](const WasteRow& row) { return row.*count; }};
}

RowColumn<WasteRow> sizeColumn(const QString& title, const QString& tip, std::uint32_t WasteRow::*size) {
  return {.setup = {.title = title, .tip = tip, .look = ColumnLook::Count, .letters = 7},
          .number = [size](const WasteRow& row) { return std::uint64_t{row.*size}; },
          .detail =
              [](const WasteRow& row) {
                return QObject::tr("%1 now, %2 at best")
                    .arg(exactBytesText(row.instanceBytes), exactBytesText(row.bestBytes));
              }};
}

RowColumn<WasteRow> savingColumn(const QString& title, const QString& tip, std::int64_t WasteRow::*saving,
                                 ColumnBar bar) {
  return {.setup = {.title = title, .tip = tip, .look = ColumnLook::SavedBytes, .hidesZero = true, .bar = bar},
          .number = [saving](const WasteRow& row) { return asNumber(row.*saving); },
          .detail = [saving](const WasteRow& row) { return exactSaving(row.*saving); }};
}

RowColumn<WasteRow> typeColumn() {
  return {.setup = {.title = QObject::tr("Type"),
                    .look = ColumnLook::TypeName,
                    .letters = 34,
                    .stretches = true,
                    .isSearched = true},
          .words = [](const WasteRow& row) { return fromEngine(row.type); },
          .link = [](const WasteRow& row) { return RowLink{.methodTable = row.methodTable}; },
          .detail =
              [](const WasteRow& row) { return fromEngine(row.type) + QLatin1Char('\n') + fromEngine(row.assembly); }};
}

RowColumn<WasteRow> paddingColumn(std::uint64_t ofHeap, std::uint64_t heapBytes) {
  return {.setup = {.title = QObject::tr("Padding"),
                    .tip = QObject::tr("Bytes that no field uses, in all of its instances, elements and nested values"),
                    .look = ColumnLook::Bytes,
                    .hidesZero = true,
                    .bar = ColumnBar::Padding},
          .number = [](const WasteRow& row) { return row.paddingBytes; },
          .detail =
              [ofHeap, heapBytes](const WasteRow& row) {
                return QObject::tr(
                           "%1, of which %2 are its own and not a nested value's.\nThose are %3 of all padding "
                           "of this heap, and %4 of the bytes of its objects.")
                    .arg(exactBytesText(row.paddingBytes), exactBytesText(row.ownPaddingBytes),
                         percentText(row.ownPaddingBytes, ofHeap), percentText(row.ownPaddingBytes, heapBytes));
              }};
}

std::vector<RowKind> wasteKinds() {
  return {{.name = QObject::tr("Own types"), .tip = QObject::tr("Declared in assemblies that are not the framework's")},
          {.name = QObject::tr("Framework"), .tip = QObject::tr("Types of System and Microsoft: not yours to change")}};
}

}  // namespace

RowSchema<WasteRow> wasteSchema(const engine::Waste& waste) {
  RowSchema<WasteRow> schema;
  schema.columns = {
      typeColumn(),
      savingColumn(QObject::tr("Best saves"),
                   QObject::tr("What the heap would shrink by if this type alone were declared its best"),
                   &WasteRow::savedByBest, ColumnBar::Plain),
      paddingColumn(waste.paddingBytes, waste.heapBytes),
      countColumn(QObject::tr("Objects"), QObject::tr("Of exactly this type; boxes of a value type"), &WasteRow::count),
      countColumn(QObject::tr("Elements"), QObject::tr("Elements of arrays"), &WasteRow::elements),
      countColumn(QObject::tr("Nested"), QObject::tr("Fields of this type inside other objects and elements"),
                  &WasteRow::nested),
      sizeColumn(QObject::tr("Size"), QObject::tr("Bytes of an object of a class, with its header, or of a value"),
                 &WasteRow::instanceBytes),
      sizeColumn(QObject::tr("Best"), QObject::tr("The same in the best declaration"), &WasteRow::bestBytes),
      {.setup = {.title = QObject::tr("By"),
                 .tip = QObject::tr("What the best declaration changes"),
                 .letters = 26,
                 .holdsContents = false},
       .words = [](const WasteRow& row) { return meansText(row); },
       .detail = meansDetail},
      savingColumn(QObject::tr("Auto saves"), QObject::tr("What declaring it LayoutKind.Auto would win back"),
                   &WasteRow::savedByAuto, ColumnBar::None),
      savingColumn(QObject::tr("Sequential"), QObject::tr("What declaring it LayoutKind.Sequential would win back"),
                   &WasteRow::savedBySequential, ColumnBar::None),
      {.setup = {.title = QObject::tr("Assembly"), .letters = 24, .isSearched = true, .holdsContents = false},
       .words = [](const WasteRow& row) { return fromEngine(row.assembly); }},
  };
  schema.kinds = wasteKinds();
  schema.kindOf = [](const WasteRow& row) {
    return static_cast<std::size_t>(row.isFramework ? WasteKind::Framework : WasteKind::Own);
  };
  schema.identity = [](const WasteRow& row) { return row.methodTable; };
  return schema;
}

RowSchema<WasteGroup> wasteGroupSchema(engine::WasteGrouping grouping) {
  const bool isNamespace = grouping == engine::WasteGrouping::Namespace;
  RowSchema<WasteGroup> schema;
  schema.columns = {
      {.setup = {.title = isNamespace ? QObject::tr("Namespace") : QObject::tr("Assembly"),
                 .letters = 34,
                 .stretches = true,
                 .isSearched = true,
                 .holdsContents = false},
       .words =
           [](const WasteGroup& group) { return group.name.empty() ? QObject::tr("(none)") : fromEngine(group.name); }},
      {.setup = {.title = QObject::tr("Best saves"),
                 .tip = QObject::tr("The savings of its types added up: nearly what all of them together would save"),
                 .look = ColumnLook::SavedBytes,
                 .hidesZero = true,
                 .bar = ColumnBar::Plain},
       .number = [](const WasteGroup& group) { return asNumber(group.savedByBest); },
       .detail =
           [](const WasteGroup& group) {
             return exactSaving(group.savedByBest) + QLatin1Char('\n') +
                    QObject::tr("Added up over its types; nearly right where one holds another.");
           }},
      {.setup = {.title = QObject::tr("Own padding"),
                 .tip = QObject::tr("Bytes that no field uses, each counted once"),
                 .look = ColumnLook::Bytes,
                 .letters = 14,
                 .hidesZero = true,
                 .bar = ColumnBar::Padding},
       .number = [](const WasteGroup& group) { return group.ownPaddingBytes; }},
      {.setup = {.title = QObject::tr("Types"), .look = ColumnLook::Count},
       .number = [](const WasteGroup& group) { return group.types; }},
  };
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
