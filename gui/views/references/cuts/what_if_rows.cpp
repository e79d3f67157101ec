// SPDX-License-Identifier: MIT
#include "views/references/cuts/what_if_rows.h"

#include <algorithm>

#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

QString kindText(const ShownCut& row) {
  if (!row.why.isEmpty()) return QStringLiteral("Not there");
  switch (row.share.cut.kind) {
    case engine::CutKind::Reference:
      return QStringLiteral("Reference");
    case engine::CutKind::Root:
      return QStringLiteral("Root");
    case engine::CutKind::Object:
      return QStringLiteral("Object");
    case engine::CutKind::Objects:
      break;
  }
  return QStringLiteral("Objects");
}

}  // namespace

RowSchema<ShownCut> cutSchema() {
  static const engine::TableOf<ShownCut> table = engine::cutsTable().within(&ShownCut::share);
  RowSchema<ShownCut> schema{.table = &table};
  const auto isMade = [](const ShownCut& row) { return row.why.isEmpty(); };
  const auto figure = [&](std::string field, int letters) {
    schema.columns.push_back({.setup = {.field = std::move(field), .letters = letters}, .isKnown = isMade});
  };
  schema.columns.push_back(
      {.setup = {.field = "name", .letters = 40, .stretches = true, .holdsContents = false},
       .words = [](const ShownCut& row) { return row.why.isEmpty() ? givenNameText(row.share.name) : row.why; },
       .link =
           [](const ShownCut& row) {
             return RowLink{row.share.cut.letGo, {}};
           },
       .detail = [](const ShownCut& row) { return row.why.isEmpty() ? fromEngine(row.share.name) : row.why; },
       .isWarning = [](const ShownCut& row) { return !row.why.isEmpty(); }});
  schema.columns.push_back({.setup = {.field = "kind", .letters = 10}, .words = kindText});
  figure("bytes", 13);
  figure("objects", 12);
  figure("places", 9);
  schema.columns.push_back({.setup = {.field = "cut", .letters = 26, .holdsContents = false},
                            .words = [](const ShownCut& row) { return givenNameText(row.share.cut.text); }});
  return schema;
}

std::vector<ShownCut> shownCuts(const CutAnswer& answer) {
  std::vector<ShownCut> rows;
  for (const QString& text : answer.asked) {
    const std::string written = text.toStdString();
    const auto failed = std::ranges::find(answer.failed, text, &FailedCut::cut);
    const auto made =
        std::ranges::find(answer.whatIf.cuts(), written,
                          [](const engine::CutShare& share) -> const std::string& { return share.cut.text; });
    ShownCut row;
    row.share.cut.text = written;
    if (made != answer.whatIf.cuts().end()) row.share = *made;
    if (failed != answer.failed.end()) row.why = failed->why;
    rows.push_back(std::move(row));
  }
  return rows;
}

RowSchema<engine::ListedFreedType> freedTypeSchema() {
  using Row = engine::ListedFreedType;
  RowSchema<Row> schema{.table = &engine::freedTypesTable()};
  schema.columns.push_back({.setup = {.field = "type", .stretches = true}, .link = [](const Row& row) {
                              return RowLink{{}, row.methodTable};
                            }});
  schema.columns.push_back({.setup = {.field = "count", .letters = 10}});
  schema.columns.push_back({.setup = {.field = "bytes", .letters = 11, .bar = ColumnBar::Plain}});
  schema.identity = [](const Row& row) { return row.methodTable; };
  return schema;
}

RowSchema<engine::ListedRetained> freedObjectSchema() {
  using Row = engine::ListedRetained;
  RowSchema<Row> schema{.table = &engine::retainedTable()};
  schema.columns.push_back({.setup = {.field = "type", .letters = 24}});
  schema.columns.push_back({.setup = {.field = "value", .letters = 24, .stretches = true}});
  schema.columns.push_back({.setup = {.field = "retainedCount", .letters = 10}});
  schema.columns.push_back({.setup = {.field = "retained", .letters = 11, .bar = ColumnBar::Plain}});
  schema.columns.push_back({.setup = {.field = "object"}, .link = [](const Row& row) {
                              return RowLink{row.row.object, {}};
                            }});
  schema.identity = [](const Row& row) { return row.row.object; };
  return schema;
}

}  // namespace heapscape::gui
