// SPDX-License-Identifier: MIT
#include "views/references/paths/path_rows.h"

#include <QObject>

#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

QString wayText(const StepRow& row) {
  if (row.leftOut > 0) return QStringLiteral("… %1 more steps …").arg(countText(row.leftOut));
  return row.step.via.empty() ? QStringLiteral("held by the root") : stepText(fromEngine(row.step.via));
}

}  // namespace

RowSchema<PathRow> pathSchema() {
  RowSchema<PathRow> schema;
  schema.columns = {
      {.setup = {.title = QStringLiteral("Held by"), .letters = 34, .isSearched = true, .holdsContents = false},
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
                 .letters = 21},
       .number = [](const PathRow& row) { return row.alone.bytes; }},
      {.setup = {.title = QStringLiteral("Steps"),
                 .tip = QStringLiteral("Objects on the way, both ends included"),
                 .look = ColumnLook::Count,
                 .letters = 9},
       .number = [](const PathRow& row) { return row.path.length; }},
      {.setup = {.title = QStringLiteral("As C#"),
                 .letters = 40,
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
  RowSchema<StepRow> schema;
  schema.columns = {
      {.setup = {.title = QStringLiteral("Step"), .look = ColumnLook::Count, .letters = 9, .hidesZero = true},
       .number = [](const StepRow& row) { return row.leftOut > 0 ? 0 : row.number; }},
      {.setup = {.title = QStringLiteral("Through"),
                 .tip = QStringLiteral("Field or element of the object before that refers to this one"),
                 .letters = 26,
                 .isSearched = true,
                 .holdsContents = false},
       .words = wayText,
       .detail = wayText},
      {.setup = {.title = QStringLiteral("Type"), .look = ColumnLook::TypeName, .stretches = true, .isSearched = true},
       .words = [](const StepRow& row) { return fromEngine(row.typeName); },
       .link =
           [](const StepRow& row) {
             return RowLink{{}, row.methodTable};
           }},
      {.setup = {.title = QStringLiteral("Object"), .look = ColumnLook::Address, .isSearched = true},
       .number = [](const StepRow& row) { return row.step.object.value; },
       .link =
           [](const StepRow& row) {
             return RowLink{row.step.object, row.methodTable};
           }},
      {.setup = {.title = QStringLiteral("Retained"),
                 .tip = QStringLiteral("What would be freed with this object"),
                 .look = ColumnLook::Bytes,
                 .hidesZero = true},
       .number = [](const StepRow& row) { return row.step.retainedBytes; }},
  };
  schema.identity = [](const StepRow& row) { return row.step.object; };
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
  std::uint64_t number = 0;
  for (const engine::PathStep& step : path.steps) {
    if (path.stepsLeftOut > 0 && number == path.leftOutAfter) {
      StepRow gap;
      gap.leftOut = path.stepsLeftOut;
      rows.push_back(gap);
      number += path.stepsLeftOut;
    }
    StepRow row{.number = ++number, .step = step, .typeName = {}, .methodTable = {}, .leftOut = 0};
    if (!step.type.isNone()) {
      row.typeName = snapshot.types()[step.type.value].name;
      row.methodTable = snapshot.types()[step.type.value].methodTable;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace heapscape::gui
