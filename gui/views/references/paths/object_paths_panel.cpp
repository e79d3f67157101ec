// SPDX-License-Identifier: MIT
#include "views/references/paths/object_paths_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include "models/object_menu.h"
#include "models/rows/rows_panel.h"
#include "models/rows/rows_table.h"
#include "widgets/arranging/split_page.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

constexpr double kMostOfRoots = 0.5;  // of the height

RowsPanelSetup pathsSetup() {
  RowsPanelSetup setup;
  setup.name = u"paths"_s;
  setup.title = u"Roots that hold it"_s;
  setup.noun = u"ways from a root, shortest first"_s;
  setup.one = u"way from a root"_s;
  setup.filterHint = u"Filter by root or field"_s;
  setup.emptyHeading = u"Nothing holds it"_s;
  setup.emptyText = u"No root leads to this object any more; the next collection may take it."_s;
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
  if (!answer.isExhausted) notes << u"There are more ways than these."_s;
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
