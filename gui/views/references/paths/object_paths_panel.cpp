// SPDX-License-Identifier: MIT
#include "views/references/paths/object_paths_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include "models/rows/rows_panel.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

RowsPanelSetup pathsSetup() {
  RowsPanelSetup setup;
  setup.name = QStringLiteral("paths");
  setup.title = QStringLiteral("Roots that hold it");
  setup.noun = QStringLiteral("ways from a root, shortest first");
  setup.one = QStringLiteral("way from a root");
  setup.filterHint = QStringLiteral("Filter by root or field");
  setup.emptyHeading = QStringLiteral("Nothing holds it");
  setup.emptyText = QStringLiteral("No root leads to this object any more; the next collection may take it.");
  setup.columns = pathSchema().setups();
  return setup;
}

RowsPanelSetup stepsSetup() {
  RowsPanelSetup setup;
  setup.name = QStringLiteral("pathSteps");
  setup.title = QStringLiteral("The way, step by step");
  setup.noun = QStringLiteral("steps");
  setup.filterHint = QStringLiteral("Filter by field, type or address");
  setup.emptyHeading = QStringLiteral("No way picked");
  setup.emptyText = QStringLiteral("Pick a root above to see how it leads to the object.");
  setup.columns = stepSchema().setups();
  return setup;
}

}  // namespace

ObjectPathsPanel::ObjectPathsPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_paths(new RowsPanel(bridge, navigator, pathsSetup(), {}, this)),
      m_steps(new RowsPanel(bridge, navigator, stepsSetup(), {}, this)),
      m_expression(new QLabel(this)) {
  m_expression->setObjectName(QStringLiteral("pathExpression"));
  m_expression->setFont(fixedFont(font()));
  m_expression->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_expression->setWordWrap(true);
  m_expression->setAccessibleName(QStringLiteral("The way as C#"));
  auto* copy = new QToolButton(this);
  copy->setIcon(symbolIcon(QStringLiteral("copy")));
  copy->setToolTip(QStringLiteral("Copy the way as C#"));
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
  auto* splitter = new QSplitter(Qt::Vertical, this);
  splitter->addWidget(m_paths);
  splitter->addWidget(below);
  splitter->setStretchFactor(0, 1);
  splitter->setStretchFactor(1, 2);
  splitter->setChildrenCollapsible(false);
  splitter->setHandleWidth(1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(splitter);
  setFocusProxy(m_paths);
  connect(m_paths, &RowsPanel::rowPicked, this, &ObjectPathsPanel::showSteps);
  clear();
}

void ObjectPathsPanel::clear() {
  m_answer = {};
  m_paths->clear();
  m_steps->clear();
  m_expression->clear();
}

void ObjectPathsPanel::show(const Answer& answer) {
  m_answer = answer;
  m_paths->setNote(answer.isExhausted ? QString() : QStringLiteral("There are more ways than these."));
  m_steps->setRows(std::make_shared<RowListOf<StepRow>>(std::make_shared<const std::vector<StepRow>>(), stepSchema()));
  m_expression->clear();
  m_paths->pickFirst();
  m_paths->setRows(std::make_shared<RowListOf<PathRow>>(answer.paths, pathSchema()));
}

void ObjectPathsPanel::showSteps(std::uint32_t path) {
  if (path >= m_answer.steps.size()) return;
  const QString expression = fromEngine((*m_answer.paths)[path].path.expression);
  // A label breaks lines at spaces only, and an expression has none.
  QString breakable = expression;
  breakable.replace(QLatin1Char('.'), QStringLiteral("\u200b.")).replace(QLatin1Char('['), QStringLiteral("\u200b["));
  m_expression->setText(breakable);
  m_expression->setToolTip(expression);
  m_steps->setRows(std::make_shared<RowListOf<StepRow>>(m_answer.steps[path], stepSchema()));
}

engine::Outcome<ObjectPathsPanel::Answer> askPaths(const engine::Snapshot& snapshot, engine::Address object,
                                                   engine::ProgressSink* progress, std::stop_token stop) {
  constexpr engine::PathOptions kOptions{.paths = 30, .steps = 2000};
  HEAPSCAPE_TRY(const engine::RootPathList list, engine::pathsToRoots(snapshot, object, kOptions, progress, stop));
  ObjectPathsPanel::Answer answer;
  answer.paths = std::make_shared<const std::vector<PathRow>>(pathRows(snapshot, list));
  for (const engine::RootPath& path : list.paths)
    answer.steps.push_back(std::make_shared<const std::vector<StepRow>>(stepRows(snapshot, path)));
  answer.isExhausted = list.isExhausted;
  answer.isReachable = list.isReachable;
  return answer;
}

}  // namespace heapscape::gui
