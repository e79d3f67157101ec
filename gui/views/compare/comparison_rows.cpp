// SPDX-License-Identifier: MIT
#include "views/compare/comparison_rows.h"

#include "insight/comparison/comparison_tables.h"
#include "models/names/insight_text.h"
#include "models/names/memory_owner_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

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
  return u"%1 before, %2 after"_s.arg(exact(change.before), exact(change.after));
}

/// A figure of a change, with both sides in full.
template <class Row>
RowColumn<Row> changeColumn(const char* field, Change Row::*member, bool isBytes, ColumnBar bar = ColumnBar::None) {
  return {.setup = {.field = field, .letters = 10, .bar = bar},
          .detail = [member, isBytes](const Row& row) { return exactText(row.*member, isBytes); }};
}

/// A figure with its unit, which differs from row to row.
RowColumn<FigureChange> figureColumn(const char* field, std::uint64_t Change::*side) {
  return {.setup = {.field = field, .letters = 12},
          .words = [side](const FigureChange& figure) { return valueText(figure.value.*side, figure.isBytes); },
          .detail = [](const FigureChange& figure) { return exactText(figure.value, figure.isBytes); }};
}

QString fieldsText(const LayoutChange& layout, const QString& between) {
  QStringList fields;
  for (const std::string& field : layout.fields) fields << fromEngine(field);
  return fields.join(between);
}

/// Name of a figure; that of the process's memory has its own in JSON.
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
  if (difference == 0) return u"0"_s;
  const auto magnitude =
      difference < 0 ? 0 - static_cast<std::uint64_t>(difference) : static_cast<std::uint64_t>(difference);
  return (difference < 0 ? kMinus : QLatin1Char('+')) + valueText(magnitude, isBytes);
}

namespace {

RowSchema<TypeChange> typeColumns() {
  RowSchema<TypeChange> schema{.table = &engine::typeChangesTable()};
  schema.columns.push_back(
      {.setup = {.field = "type", .letters = 20, .stretches = true},
       .detail = [](const TypeChange& type) { return fromEngine(type.name + "\n" + type.assembly); }});
  schema.columns.push_back({.setup = {.field = "fate", .letters = 9}, .words = [](const TypeChange& type) {
                              if (type.isNew()) return u"new"_s;
                              return type.isGone() ? u"gone"_s : QString();
                            }});
  schema.columns.push_back(changeColumn("growth", &TypeChange::bytes, true, ColumnBar::Plain));
  schema.columns.push_back(changeColumn("retainedGrowth", &TypeChange::retained, true));
  schema.columns.push_back(changeColumn("bytesBefore", &TypeChange::bytes, true));
  schema.columns.push_back(changeColumn("bytesAfter", &TypeChange::bytes, true));
  schema.columns.push_back(changeColumn("countBefore", &TypeChange::count, false));
  schema.columns.push_back(changeColumn("countAfter", &TypeChange::count, false));
  schema.kinds = {{.name = u"Grown"_s, .tip = u"More bytes than before"_s},
                  {.name = u"Shrunk"_s, .tip = u"Fewer bytes than before"_s},
                  {.name = u"New"_s, .tip = u"Only in the later dump"_s},
                  {.name = u"Gone"_s, .tip = u"Only in the earlier dump"_s},
                  {.name = u"Same"_s, .tip = u"As many bytes as before"_s}};
  schema.kindOf = [](const TypeChange& type) { return static_cast<std::size_t>(engine::fateOf(type)); };
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
  schema.columns[0].type = [=](const TypeChange& type) {
    return type.isFree ? engine::Address{} : methodTableOf(type, before, after, isOpenBefore);
  };
  schema.identity = [=](const TypeChange& type) {
    const engine::Address open = methodTableOf(type, before, after, isOpenBefore);
    return open ? open : methodTableOf(type, before, after, !isOpenBefore);
  };
  return schema;
}

RowSchema<FigureChange> figureChangeSchema() {
  RowSchema<FigureChange> schema{.table = &engine::figureChangesTable()};
  schema.columns.push_back({.setup = {.field = "group", .letters = 20}});
  schema.columns.push_back({.setup = {.field = "name", .letters = 30, .stretches = true}, .words = nameOf});
  schema.columns.push_back(figureColumn("before", &Change::before));
  schema.columns.push_back(figureColumn("after", &Change::after));
  schema.columns.push_back(
      {.setup = {.field = "difference", .letters = 14},
       .words = [](const FigureChange& figure) { return differenceText(figure.value, figure.isBytes); },
       .detail = [](const FigureChange& figure) { return exactText(figure.value, figure.isBytes); }});
  schema.kinds = {{.name = u"Changed"_s, .tip = u"Figures that differ"_s},
                  {.name = u"Same"_s, .tip = u"Figures that are as they were"_s}};
  schema.kindOf = [](const FigureChange& figure) { return figure.value.difference() == 0 ? std::size_t{1} : 0; };
  return schema;
}

RowSchema<InsightChange> insightChangeSchema() {
  RowSchema<InsightChange> schema{.table = &engine::insightChangesTable()};
  schema.columns.push_back({.setup = {.field = "kind", .letters = 22},
                            .words = [](const InsightChange& insight) { return insightKindText(insight.kind); },
                            .detail = [](const InsightChange& insight) { return insightKindTip(insight.kind); }});
  schema.columns.push_back({.setup = {.field = "title", .letters = 40, .stretches = true}});
  schema.columns.push_back({.setup = {.field = "contents", .letters = 16}});
  schema.columns.push_back(changeColumn("growth", &InsightChange::bytes, true, ColumnBar::Plain));
  schema.columns.push_back(changeColumn("bytesBefore", &InsightChange::bytes, true));
  schema.columns.push_back(changeColumn("bytesAfter", &InsightChange::bytes, true));
  schema.kinds = {{.name = u"Changed"_s, .tip = u"New, gone, larger or smaller"_s},
                  {.name = u"Same"_s, .tip = u"As it was, to the byte"_s}};
  schema.kindOf = [](const InsightChange& insight) {
    return insight.bytes.difference() == 0 && insight.objects.difference() == 0 ? std::size_t{1} : 0;
  };
  return schema;
}

RowSchema<LayoutChange> layoutChangeSchema(bool isOpenBefore) {
  RowSchema<LayoutChange> schema{.table = &engine::layoutChangesTable()};
  schema.columns.push_back({.setup = {.field = "type", .letters = 20, .stretches = true},
                            .type = [isOpenBefore](const LayoutChange& layout) {
                              return isOpenBefore ? layout.methodTableBefore : layout.methodTableAfter;
                            }});
  schema.columns.push_back(changeColumn("growth", &LayoutChange::instanceBytes, true));
  schema.columns.push_back(changeColumn("sizeBefore", &LayoutChange::instanceBytes, true));
  schema.columns.push_back(changeColumn("sizeAfter", &LayoutChange::instanceBytes, true));
  schema.columns.push_back(changeColumn("paddingBefore", &LayoutChange::paddingBytes, true));
  schema.columns.push_back(changeColumn("paddingAfter", &LayoutChange::paddingBytes, true));
  schema.columns.push_back({.setup = {.field = "fields", .isInWords = true, .letters = 48, .isNamed = true},
                            .words = [](const LayoutChange& layout) { return fieldsText(layout, u"; "_s); },
                            .detail = [](const LayoutChange& layout) { return fieldsText(layout, u"\n"_s); }});
  return schema;
}

namespace {

template <class Row>
void addHolderColumns(RowSchema<Row>& schema, Change Row::*counts) {
  schema.columns.push_back({.setup = {.field = "name", .letters = 32, .stretches = true},
                            .words = [](const Row& row) { return givenNameText(row.name); }});
  schema.columns.push_back({.setup = {.field = "kind", .letters = 16}});
  schema.columns.push_back(changeColumn("growth", &Row::bytes, true, ColumnBar::Plain));
  schema.columns.push_back(changeColumn("bytesBefore", &Row::bytes, true));
  schema.columns.push_back(changeColumn("bytesAfter", &Row::bytes, true));
  schema.columns.push_back(changeColumn("countBefore", counts, false));
  schema.columns.push_back(changeColumn("countAfter", counts, false));
  schema.kinds = {{.name = u"Changed"_s, .tip = u"Holds more or less than before"_s},
                  {.name = u"Same"_s, .tip = u"Holds as many bytes as before"_s}};
  schema.kindOf = [counts](const Row& row) {
    return row.bytes.difference() == 0 && (row.*counts).difference() == 0 ? std::size_t{1} : 0;
  };
}

}  // namespace

RowSchema<engine::OwnerChange> ownerChangeSchema() {
  RowSchema<engine::OwnerChange> schema{.table = &engine::ownerChangesTable()};
  addHolderColumns(schema, &engine::OwnerChange::objects);
  // Where objects of a type hold, their type's name alone would say that the type does.
  schema.columns.front().words = [](const engine::OwnerChange& row) {
    const QString name = givenNameText(row.name);
    return row.kind == engine::InsightOwner::Kind::Type ? u"objects of %1"_s.arg(name) : name;
  };
  return schema;
}

RowSchema<engine::RootChange> rootChangeSchema() {
  RowSchema<engine::RootChange> schema{.table = &engine::rootChangesTable()};
  addHolderColumns(schema, &engine::RootChange::roots);
  return schema;
}

RowSchema<ComparedObject> comparedObjectSchema(const QString& open, const QString& other) {
  RowSchema<ComparedObject> schema;
  schema.columns = {
      {.setup = {.title = u"Object"_s, .kind = engine::ColumnKind::Address, .isSearched = true},
       .cell = &ComparedObject::address,
       .object = [](const ComparedObject& object) { return object.isOther ? engine::Address{} : object.address; }},
      {.setup = {.title = u"Bytes"_s, .kind = engine::ColumnKind::Count, .letters = 10},
       .cell = &ComparedObject::bytes},
      {.setup = {.title = u"Dump"_s, .letters = 12, .stretches = true, .holdsContents = false},
       .words = [open, other](const ComparedObject& object) { return object.isOther ? other : open; }},
  };
  schema.kinds = {{.name = open, .tip = u"Objects of the open dump, which can be gone to"_s},
                  {.name = other, .tip = u"Objects of the other dump"_s}};
  schema.kindOf = [](const ComparedObject& object) { return object.isOther ? std::size_t{1} : 0; };
  return schema;
}

// Not as the engine describes the list: its column of values would read the open dump at the other one's addresses.
RowSchema<engine::ListedStep> comparedStepSchema() {
  RowSchema<engine::ListedStep> schema;
  schema.columns = {
      {.setup = {.title = u"Through"_s, .letters = 20, .isSearched = true, .holdsContents = false},
       .words =
           [](const engine::ListedStep& listed) {
             return listed.step.via.empty() ? u"held by the root"_s : fromEngine(listed.step.via);
           }},
      {.setup = {.title = u"Type"_s, .letters = 24, .stretches = true, .isSearched = true, .holdsContents = false},
       .words = [](const engine::ListedStep& listed) { return fromEngine(listed.type); }},
      {.setup = {.title = u"Retained"_s, .kind = engine::ColumnKind::Bytes, .letters = 10},
       .cell = [](const engine::ListedStep& listed) { return listed.step.retainedBytes; }},
  };
  return schema;
}

}  // namespace heapscape::gui
