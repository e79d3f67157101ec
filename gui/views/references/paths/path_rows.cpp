// SPDX-License-Identifier: MIT
#include "views/references/paths/path_rows.h"

#include <QObject>
#include <utility>

#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

QString wayText(const StepRow& row) {
  if (row.leftOut > 0) return QStringLiteral("… %1 more steps …").arg(countText(row.leftOut));
  return row.listed.step.via.empty() ? QStringLiteral("held by the root") : stepText(fromEngine(row.listed.step.via));
}

}  // namespace

RowSchema<PathRow> pathSchema() {
  RowSchema<PathRow> schema;
  schema.columns = {
      {.setup = {.title = QStringLiteral("Held by"),
                 .letters = 42,
                 .isNamed = true,
                 .isSearched = true,
                 .holdsContents = false},
       .words =
           [](const PathRow& row) {
             const QString name = givenNameText(row.root.name);
             return row.root.isExact ? name : QStringLiteral("%1 (not exact)").arg(name);
           },
       .detail = [](const PathRow& row) { return fromEngine(row.root.name); }},
      {.setup = {.title = QStringLiteral("Root retains alone"),
                 .tip =
                     QStringLiteral("What would be freed if this root let go: nothing if another one leads there too"),
                 .look = ColumnLook::Bytes,
                 .letters = 18},
       .number = [](const PathRow& row) { return row.alone.bytes; }},
      {.setup = {.title = QStringLiteral("Steps"),
                 .tip = QStringLiteral("Objects on the way, both ends included"),
                 .look = ColumnLook::Count,
                 .letters = 9},
       .number = [](const PathRow& row) { return row.path.length; }},
      {.setup = {.title = QStringLiteral("As C#"),
                 .letters = 32,
                 .stretches = true,
                 .isSearched = true,
                 .holdsContents = false},
       .words =
           [](const PathRow& row) {
             return fromEngine(HiddenContents::areWanted() ? row.path.redactedExpression : row.path.expression);
           },
       .detail = [](const PathRow& row) { return fromEngine(row.path.expression); }},
  };
  return schema;
}

RowSchema<StepRow> stepSchema() {
  static const engine::TableOf<StepRow> table = engine::stepsTable().within(&StepRow::listed);
  RowSchema<StepRow> schema{.table = &table};
  schema.columns.push_back({.setup = {.field = "step", .letters = 9}});
  schema.columns.push_back({.setup = {.field = "via", .letters = 26}, .words = wayText, .detail = wayText});
  schema.columns.push_back({.setup = {.field = "type", .letters = 28}, .link = [](const StepRow& row) {
                              return RowLink{{}, row.listed.methodTable};
                            }});
  schema.columns.push_back({.setup = {.field = "value", .letters = 24, .stretches = true}});
  schema.columns.push_back({.setup = {.field = "object"}, .link = [](const StepRow& row) {
                              return RowLink{row.listed.step.object, row.listed.methodTable};
                            }});
  schema.columns.push_back({.setup = {.field = "retained"}});
  schema.identity = [](const StepRow& row) { return row.listed.step.object; };
  return schema;
}

std::vector<PathRow> pathRows(const engine::Snapshot& snapshot, const engine::RootPathList& list) {
  std::vector<PathRow> rows;
  for (const engine::RootPath& path : list.paths)
    rows.push_back({path, snapshot.roots().roots[path.root], engine::retainedByRoot(snapshot, path.root)});
  return rows;
}

std::vector<StepRow> stepRows(const engine::Snapshot& snapshot, const engine::RootPath& path) {
  std::vector<StepRow> rows;
  for (engine::ListedStep& step : engine::listSteps(snapshot, path)) {
    if (path.stepsLeftOut > 0 && rows.size() == path.leftOutAfter)
      rows.push_back({.listed = {}, .leftOut = path.stepsLeftOut});
    rows.push_back({.listed = std::move(step)});
  }
  return rows;
}

}  // namespace heapscape::gui
