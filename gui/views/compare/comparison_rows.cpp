// SPDX-License-Identifier: MIT
#include "views/compare/comparison_rows.h"

#include <QObject>
#include <memory>

#include "models/names/insight_text.h"
#include "models/names/memory_owner_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using engine::Change;
using engine::FigureChange;
using engine::InsightChange;
using engine::LayoutChange;
using engine::TypeChange;

QString valueText(std::uint64_t value, bool isBytes) {
  return isBytes ? bytesText(value) : countText(value);
}

QString exactText(const Change& change, bool isBytes) {
  const auto exact = [isBytes](std::uint64_t value) { return isBytes ? exactBytesText(value) : countText(value); };
  return QObject::tr("%1 before, %2 after").arg(exact(change.before), exact(change.after));
}

TypeChangeKind kindOf(const TypeChange& type) {
  if (type.isNew()) return TypeChangeKind::New;
  if (type.isGone()) return TypeChangeKind::Gone;
  if (type.bytes.difference() > 0) return TypeChangeKind::Grown;
  return type.bytes.difference() < 0 ? TypeChangeKind::Shrunk : TypeChangeKind::Same;
}

/// How much a member has grown: bytes, less than 0 where it has shrunk.
template <class Row>
RowColumn<Row> growthColumn(const QString& title, const QString& tip, Change Row::*member, ColumnBar bar) {
  return {.setup = {.title = title, .tip = tip, .look = ColumnLook::SavedBytes, .letters = 12, .bar = bar},
          .number = [member](const Row& row) { return static_cast<std::uint64_t>((row.*member).difference()); },
          .detail = [member](const Row& row) { return exactText(row.*member, true); }};
}

template <class Row>
RowColumn<Row> sideColumn(const QString& title, const QString& tip, Change Row::*member, std::uint64_t Change::*side,
                          ColumnLook look) {
  return {.setup = {.title = title, .tip = tip, .look = look, .letters = 10, .hidesZero = true},
          .number = [member, side](const Row& row) { return (row.*member).*side; },
          .detail = [member, look](const Row& row) { return exactText(row.*member, look == ColumnLook::Bytes); }};
}

/// A figure with its unit, which differs from row to row.
RowColumn<FigureChange> figureColumn(const QString& title, std::uint64_t Change::*side) {
  return {.setup = {.title = title, .look = ColumnLook::Count, .letters = 12},
          .words = [side](const FigureChange& figure) { return valueText(figure.value.*side, figure.isBytes); },
          .number = [side](const FigureChange& figure) { return figure.value.*side; },
          .detail = [](const FigureChange& figure) { return exactText(figure.value, figure.isBytes); }};
}

/// Whose memory a figure of the process's memory is about has its own name in JSON.
QString nameOf(const FigureChange& figure) {
  for (auto owner = engine::MemoryOwner::GcUsed; owner <= engine::MemoryOwner::Other;
       owner = static_cast<engine::MemoryOwner>(static_cast<int>(owner) + 1)) {
    if (figure.name == engine::toString(owner)) return memoryOwnerText(owner);
  }
  return fromEngine(figure.name);
}

}  // namespace

QString differenceText(const Change& change, bool isBytes) {
  const std::int64_t difference = change.difference();
  if (difference == 0) return QStringLiteral("0");
  const auto magnitude =
      difference < 0 ? 0 - static_cast<std::uint64_t>(difference) : static_cast<std::uint64_t>(difference);
  return (difference < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) + valueText(magnitude, isBytes);
}

namespace {

RowSchema<TypeChange> typeColumns() {
  RowSchema<TypeChange> schema;
  schema.columns = {
      {.setup = {.title = QObject::tr("Type"),
                 .look = ColumnLook::TypeName,
                 .letters = 32,
                 .stretches = true,
                 .isSearched = true},
       .words = [](const TypeChange& type) { return fromEngine(type.name); },
       .detail = [](const TypeChange& type) { return fromEngine(type.name + "\n" + type.assembly); }},
      {.setup = {.title = QObject::tr("Change"),
                 .tip = QObject::tr("New: only in the later dump; gone: only in the earlier one"),
                 .look = ColumnLook::Words,
                 .letters = 9,
                 .holdsContents = false},
       .words =
           [](const TypeChange& type) {
             if (type.isNew()) return QObject::tr("new");
             return type.isGone() ? QObject::tr("gone") : QString();
           }},
      growthColumn(QObject::tr("Growth"), QObject::tr("Bytes of its objects: after less before"), &TypeChange::bytes,
                   ColumnBar::Plain),
      growthColumn(QObject::tr("Retained"),
                   QObject::tr("Growth of what all its objects keep alive together: after less before"),
                   &TypeChange::retained, ColumnBar::None),
      sideColumn(QObject::tr("Before"), QObject::tr("Bytes of its objects in the earlier dump"), &TypeChange::bytes,
                 &Change::before, ColumnLook::Bytes),
      sideColumn(QObject::tr("After"), QObject::tr("Bytes of its objects in the later dump"), &TypeChange::bytes,
                 &Change::after, ColumnLook::Bytes),
      sideColumn(QObject::tr("Objects"), QObject::tr("Objects in the earlier dump"), &TypeChange::count,
                 &Change::before, ColumnLook::Count),
      sideColumn(QObject::tr("→ after"), QObject::tr("Objects in the later dump"), &TypeChange::count, &Change::after,
                 ColumnLook::Count),
  };
  schema.kinds = {{.name = QObject::tr("Grown"), .tip = QObject::tr("More bytes than before")},
                  {.name = QObject::tr("Shrunk"), .tip = QObject::tr("Fewer bytes than before")},
                  {.name = QObject::tr("New"), .tip = QObject::tr("Only in the later dump")},
                  {.name = QObject::tr("Gone"), .tip = QObject::tr("Only in the earlier dump")},
                  {.name = QObject::tr("Same"), .tip = QObject::tr("As many bytes as before")}};
  schema.kindOf = [](const TypeChange& type) { return static_cast<std::size_t>(kindOf(type)); };
  return schema;
}

}  // namespace

std::vector<ColumnSetup> typeChangeColumns() {
  return typeColumns().setups();
}

engine::Address methodTableOf(const TypeChange& type, const engine::Snapshot& before, const engine::Snapshot& after,
                              bool isBefore) {
  const std::vector<engine::TypeId>& types = isBefore ? type.typesBefore : type.typesAfter;
  if (types.empty()) return {};
  return (isBefore ? before : after).types()[types.front().value].methodTable;
}

RowSchema<TypeChange> typeChangeSchema(const engine::Snapshot& before, const engine::Snapshot& after,
                                       bool isOpenBefore) {
  RowSchema<TypeChange> schema = typeColumns();
  schema.columns[0].link = [=](const TypeChange& type) {
    return type.isFree ? RowLink{} : RowLink{{}, methodTableOf(type, before, after, isOpenBefore)};
  };
  schema.identity = [=](const TypeChange& type) {
    const engine::Address open = methodTableOf(type, before, after, isOpenBefore);
    return open ? open : methodTableOf(type, before, after, !isOpenBefore);
  };
  return schema;
}

RowSchema<FigureChange> figureChangeSchema() {
  RowSchema<FigureChange> schema;
  schema.columns = {
      {.setup = {.title = QObject::tr("Of"), .letters = 20, .isSearched = true, .holdsContents = false},
       .words = [](const FigureChange& figure) { return fromEngine(figure.group); }},
      {.setup = {.title = QObject::tr("Figure"),
                 .letters = 30,
                 .stretches = true,
                 .isSearched = true,
                 .holdsContents = false},
       .words = nameOf},
      figureColumn(QObject::tr("Before"), &Change::before),
      figureColumn(QObject::tr("After"), &Change::after),
      {.setup = {.title = QObject::tr("Difference"), .look = ColumnLook::SavedBytes, .letters = 14},
       .words = [](const FigureChange& figure) { return differenceText(figure.value, figure.isBytes); },
       .number = [](const FigureChange& figure) { return static_cast<std::uint64_t>(figure.value.difference()); },
       .detail = [](const FigureChange& figure) { return exactText(figure.value, figure.isBytes); }},
  };
  schema.kinds = {{.name = QObject::tr("Changed"), .tip = QObject::tr("Figures that differ")},
                  {.name = QObject::tr("Same"), .tip = QObject::tr("Figures that are as they were")}};
  schema.kindOf = [](const FigureChange& figure) { return figure.value.difference() == 0 ? std::size_t{1} : 0; };
  return schema;
}

RowSchema<InsightChange> insightChangeSchema() {
  RowSchema<InsightChange> schema;
  schema.columns = {
      {.setup = {.title = QObject::tr("Kind"), .letters = 22, .isSearched = true, .holdsContents = false},
       .words = [](const InsightChange& insight) { return insightKindText(insight.kind); },
       .detail = [](const InsightChange& insight) { return insightKindTip(insight.kind); }},
      {.setup = {.title = QObject::tr("Insight"),
                 .letters = 40,
                 .stretches = true,
                 .isSearched = true,
                 .holdsContents = false},
       .words = [](const InsightChange& insight) { return fromEngine(insight.title); }},
      {.setup =
           {.title = QObject::tr("Text"), .tip = QObject::tr("Of equal strings"), .letters = 18, .isSearched = true},
       .words = [](const InsightChange& insight) { return fromEngine(insight.contents); }},
      growthColumn(QObject::tr("Growth"), QObject::tr("Bytes that it is about: after less before"),
                   &InsightChange::bytes, ColumnBar::Plain),
      sideColumn(QObject::tr("Before"), QObject::tr("In the earlier dump; blank if it was not among its insights"),
                 &InsightChange::bytes, &Change::before, ColumnLook::Bytes),
      sideColumn(QObject::tr("After"), QObject::tr("In the later dump; blank if it is not among its insights"),
                 &InsightChange::bytes, &Change::after, ColumnLook::Bytes),
  };
  schema.kinds = {{.name = QObject::tr("Changed"), .tip = QObject::tr("New, gone, larger or smaller")},
                  {.name = QObject::tr("Same"), .tip = QObject::tr("As it was, to the byte")}};
  schema.kindOf = [](const InsightChange& insight) {
    return insight.bytes.difference() == 0 && insight.objects.difference() == 0 ? std::size_t{1} : 0;
  };
  return schema;
}

RowSchema<LayoutChange> layoutChangeSchema(bool isOpenBefore) {
  RowSchema<LayoutChange> schema;
  schema.columns = {
      {.setup = {.title = QObject::tr("Type"),
                 .look = ColumnLook::TypeName,
                 .letters = 30,
                 .stretches = true,
                 .isSearched = true},
       .words = [](const LayoutChange& layout) { return fromEngine(layout.type); },
       .link =
           [isOpenBefore](const LayoutChange& layout) {
             return RowLink{{}, isOpenBefore ? layout.methodTableBefore : layout.methodTableAfter};
           }},
      growthColumn(QObject::tr("Growth"), QObject::tr("Bytes of one object, or of an element: after less before"),
                   &LayoutChange::instanceBytes, ColumnBar::None),
      sideColumn(QObject::tr("Before"), QObject::tr("Bytes of one object, or of an element"),
                 &LayoutChange::instanceBytes, &Change::before, ColumnLook::Count),
      sideColumn(QObject::tr("After"), QObject::tr("Bytes of one object, or of an element"),
                 &LayoutChange::instanceBytes, &Change::after, ColumnLook::Count),
      sideColumn(QObject::tr("Padding"), QObject::tr("Bytes of one that no field uses, before"),
                 &LayoutChange::paddingBytes, &Change::before, ColumnLook::Count),
      sideColumn(QObject::tr("→ after"), QObject::tr("Bytes of one that no field uses, after"),
                 &LayoutChange::paddingBytes, &Change::after, ColumnLook::Count),
      {.setup = {.title = QObject::tr("Fields"),
                 .tip = QObject::tr("+ new, − gone, ~ moved or of another type"),
                 .letters = 48,
                 .isSearched = true,
                 .holdsContents = false},
       .words =
           [](const LayoutChange& layout) {
             QStringList fields;
             for (const std::string& field : layout.fields) fields << fromEngine(field);
             return fields.join(QStringLiteral("; "));
           },
       .detail =
           [](const LayoutChange& layout) {
             QStringList fields;
             for (const std::string& field : layout.fields) fields << fromEngine(field);
             return fields.join(QLatin1Char('\n'));
           }},
  };
  return schema;
}

RowSchema<ComparedObject> comparedObjectSchema() {
  RowSchema<ComparedObject> schema;
  schema.columns = {
      {.setup = {.title = QObject::tr("Object"), .look = ColumnLook::Address, .isSearched = true},
       .number = [](const ComparedObject& object) { return object.address.value; },
       .link =
           [](const ComparedObject& object) {
             return object.isOther ? RowLink{} : RowLink{object.address, {}};
           }},
      {.setup = {.title = QObject::tr("Bytes"), .look = ColumnLook::Count, .letters = 10},
       .number = [](const ComparedObject& object) { return object.bytes; }},
      {.setup = {.title = QObject::tr("In"), .letters = 14, .stretches = true, .holdsContents = false},
       .words =
           [](const ComparedObject& object) {
             return object.isOther ? QObject::tr("the other dump") : QObject::tr("the open dump");
           }},
  };
  schema.kinds = {{.name = QObject::tr("In the open dump"), .tip = QObject::tr("Objects that can be gone to")},
                  {.name = QObject::tr("In the other dump"), .tip = QObject::tr("Open the other dump to go to these")}};
  schema.kindOf = [](const ComparedObject& object) { return object.isOther ? std::size_t{1} : 0; };
  return schema;
}

}  // namespace heapscape::gui
