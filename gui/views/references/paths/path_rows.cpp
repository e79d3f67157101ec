// SPDX-License-Identifier: MIT
#include "views/references/paths/path_rows.h"

#include <QObject>
#include <algorithm>
#include <utility>

#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

QString wayText(const StepRow& row) {
  if (row.leftOut > 0) return u"… %1 more steps …"_s.arg(countText(row.leftOut));
  return row.listed.step.via.empty() ? u"held by the root"_s : stepText(fromEngine(row.listed.step.via));
}

QString rootText(const engine::RootRow& root) {
  const QString name = givenNameText(root.name);
  return root.isExact ? name : u"%1 (not exact)"_s.arg(name);
}

// "and 2 more handles".
QString othersText(const PathRow& row) {
  if (row.path.otherRootCount == 0) return {};
  const auto isHandle = [](const engine::RootRow& root) { return root.kind < engine::RootKind::Static; };
  const bool areHandles = row.others.size() == row.path.otherRootCount && std::ranges::all_of(row.others, isHandle);
  return u"and %1"_s.arg(countedText(row.path.otherRootCount, areHandles ? u"more handle"_s : u"more root"_s));
}

QString holdersDetail(const PathRow& row) {
  QStringList lines{rootText(row.root)};
  for (const engine::RootRow& root : row.others) lines << u"and %1"_s.arg(rootText(root));
  if (row.others.size() < row.path.otherRootCount)
    lines << u"and %1 more"_s.arg(countText(row.path.otherRootCount - row.others.size()));
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

RowSchema<PathRow> pathSchema() {
  RowSchema<PathRow> schema;
  schema.columns = {
      {.setup = {.title = u"Held by"_s, .letters = 42, .isNamed = true, .isSearched = true, .holdsContents = false},
       .words =
           [](const PathRow& row) {
             const QString more = othersText(row);
             return more.isEmpty() ? rootText(row.root) : u"%1, %2"_s.arg(rootText(row.root), more);
           },
       .detail = holdersDetail},
      {.setup = {.title = u"Root retains alone"_s,
                 .tip = u"What would be freed if this root let go: nothing if another one leads there too"_s,
                 .kind = engine::ColumnKind::Bytes,
                 .letters = 18},
       .cell = [](const PathRow& row) { return row.alone.bytes; }},
      {.setup = {.title = u"Steps"_s,
                 .tip = u"Objects on the way, both ends included"_s,
                 .kind = engine::ColumnKind::Count,
                 .letters = 9},
       .cell = [](const PathRow& row) { return row.path.length; }},
      {.setup = {.title = u"As C#"_s, .letters = 32, .stretches = true, .isSearched = true, .holdsContents = false},
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
  schema.columns.push_back(
      {.setup = {.field = "type", .letters = 28}, .type = [](const StepRow& row) { return row.listed.methodTable; }});
  schema.columns.push_back({.setup = {.field = "value", .letters = 24, .stretches = true}});
  schema.columns.push_back({.setup = {.field = "object"},
                            .object = [](const StepRow& row) { return row.listed.step.object; },
                            .type = [](const StepRow& row) { return row.listed.methodTable; }});
  schema.columns.push_back({.setup = {.field = "retained"}});
  schema.identity = [](const StepRow& row) { return row.listed.step.object; };
  return schema;
}

std::vector<PathRow> pathRows(const engine::Snapshot& snapshot, const engine::RootPathList& list) {
  std::vector<PathRow> rows;
  const std::vector<engine::RootRow>& roots = snapshot.roots().roots;
  for (const engine::RootPath& path : list.paths) {
    PathRow& row = rows.emplace_back(PathRow{path, roots[path.root], engine::retainedByRoot(snapshot, path.root)});
    for (const std::uint32_t other : path.otherRoots) row.others.push_back(roots[other]);
  }
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
