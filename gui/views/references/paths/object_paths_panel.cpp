// SPDX-License-Identifier: MIT
#include "views/references/paths/object_paths_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "models/object_menu.h"
#include "models/rows/rows_panel.h"
#include "models/rows/rows_table.h"
#include "widgets/arranging/split_page.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"
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

constexpr double kMostOfRoots = 0.5;  // of the height

RowsPanelSetup pathsSetup() {
  RowsPanelSetup setup;
  setup.name = u"paths"_s;
  setup.title = u"Roots that hold it"_s;
  setup.noun = u"paths from roots, shortest first"_s;
  setup.one = u"path from a root"_s;
  setup.filterHint = u"Filter by root or field"_s;
  setup.emptyHeading = u"Nothing holds it"_s;
  setup.emptyText = u"No root leads to this object: it is garbage, unless it is frozen and so never collected."_s;
  setup.columns = pathSchema().setups();
  return setup;
}

RowsPanelSetup stepsSetup() {
  RowsPanelSetup setup;
  setup.name = u"pathSteps"_s;
  setup.title = u"The way, step by step"_s;
  setup.noun = u"steps"_s;
  setup.filterHint = u"Filter by field, type or address"_s;
  setup.emptyHeading = u"No way picked"_s;
  setup.emptyText = u"Pick a root above to see how it leads to the object."_s;
  setup.columns = stepSchema().setups();
  return setup;
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
      {.setup = {.title = u"Retained by this root only"_s,
                 .tip = u"What would be freed if this root were released: nothing if another one leads there too"_s,
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

ObjectPathsPanel::ObjectPathsPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_navigator(navigator),
      m_paths(new RowsPanel(bridge, navigator, pathsSetup(), {}, this)),
      m_steps(new RowsPanel(bridge, navigator, stepsSetup(), {}, this)),
      m_expression(new QLabel(this)) {
  m_expression->setObjectName(u"pathExpression"_s);
  m_expression->setFont(fixedFont(font()));
  m_expression->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_expression->setWordWrap(true);
  m_expression->setAccessibleName(u"The way as C#"_s);
  auto* copy = new QToolButton(this);
  copy->setIcon(symbolIcon(u"copy"_s));
  copy->setToolTip(u"Copy the way as C#"_s);
  copy->setAutoRaise(true);
  connect(copy, &QToolButton::clicked, this,
          [this] { QGuiApplication::clipboard()->setText(m_expression->toolTip()); });

  auto* below = new QWidget(this);
  auto* line = new QHBoxLayout;
  line->setContentsMargins(12, 8, 12, 0);
  line->addWidget(m_expression, 1);
  line->addWidget(copy, 0, Qt::AlignTop);
  auto* column = new QVBoxLayout(below);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(line);
  column->addWidget(m_steps, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(new FittedSplit(m_paths, m_paths->findChild<RowsTable*>(), below, kMostOfRoots, this));
  setFocusProxy(m_paths);
  connectMenus();
  connect(m_paths, &RowsPanel::rowPicked, this, &ObjectPathsPanel::showSteps);
  clear();
}

void ObjectPathsPanel::connectMenus() {
  connect(m_paths, &RowsPanel::menuOpening, this, [this](QMenu* menu, std::uint32_t row) {
    if (row < m_answer.cuts.size()) offerCut(*menu, m_answer.cuts[row]);
  });
  connect(m_steps, &RowsPanel::menuOpening, this,
          [this](QMenu* menu, std::uint32_t row) { offerCut(*menu, cutBefore(row)); });
}

void ObjectPathsPanel::offerCut(QMenu& menu, const std::string& cut) {
  if (cut.empty()) return;
  addCut(menu, m_navigator, cutHereText(), cut);
  menu.addSeparator();
}

std::string ObjectPathsPanel::cutBefore(std::uint32_t step) const {
  if (m_path >= m_answer.steps.size() || step >= m_answer.steps[m_path]->size()) return {};
  if (step == 0) return m_answer.cuts[m_path];
  const StepRow& before = (*m_answer.steps[m_path])[step - 1];
  const StepRow& row = (*m_answer.steps[m_path])[step];
  if (before.leftOut > 0 || row.leftOut > 0) return {};
  return engine::cutOfReference(before.listed.step.object, row.listed.step.object);
}

void ObjectPathsPanel::clear() {
  m_answer = {};
  m_paths->clear();
  m_steps->clear();
  m_expression->clear();
}

void ObjectPathsPanel::show(const ObjectPathsAnswer& answer) {
  m_answer = answer;
  QStringList notes;
  if (answer.isWithout) notes << u"What would still hold it, with what is cut."_s;
  if (!answer.isExhausted) notes << u"Showing the shortest paths only; there are more."_s;
  m_paths->setNote(notes.join(QLatin1Char(' ')));
  m_steps->setRows(makeRowList(std::vector<StepRow>(), stepSchema()));
  m_expression->clear();
  m_paths->pickFirst();
  m_paths->setRows(makeRowList(answer.paths, pathSchema()));
}

void ObjectPathsPanel::showSteps(std::uint32_t path) {
  if (path >= m_answer.steps.size()) return;
  m_path = path;
  const QString expression = fromEngine((*m_answer.paths)[path].path.expression);
  // A label breaks lines at spaces only, and an expression has none.
  QString breakable = expression;
  breakable.replace(QLatin1Char('.'), u"\u200b."_s).replace(QLatin1Char('['), u"\u200b["_s);
  m_expression->setText(breakable);
  m_expression->setToolTip(expression);
  m_steps->setRows(makeRowList(m_answer.steps[path], stepSchema()));
}

engine::Outcome<ObjectPathsAnswer> askPaths(const engine::Snapshot& snapshot, engine::Address object,
                                            const engine::WhatIf* whatIf, engine::ProgressSink* progress,
                                            std::stop_token stop) {
  const engine::PathOptions options{.paths = 30, .steps = 2000, .without = whatIf};
  HEAPSCAPE_TRY(const engine::RootPathList list, engine::pathsToRoots(snapshot, object, options, progress, stop));
  ObjectPathsAnswer answer;
  answer.paths = std::make_shared<const std::vector<PathRow>>(pathRows(snapshot, list));
  for (const engine::RootPath& path : list.paths) {
    answer.steps.push_back(std::make_shared<const std::vector<StepRow>>(stepRows(snapshot, path)));
    answer.cuts.push_back(engine::cutOfRoot(snapshot.roots().roots[path.root]));
  }
  answer.isExhausted = list.isExhausted;
  answer.isReachable = list.isReachable;
  answer.isFreed = list.isFreed;
  answer.isWithout = whatIf != nullptr;
  return answer;
}

}  // namespace heapscape::gui
