// SPDX-License-Identifier: MIT
#include "views/references/cuts/what_if_view.h"

#include <QLabel>
#include <QMenu>
#include <QShortcut>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <vector>

#include "models/rows/row_list.h"
#include "models/rows/rows_panel.h"
#include "models/rows/rows_table.h"
#include "tables/cut_tables.h"
#include "tables/retained_tables.h"
#include "views/references/cuts/what_if_door.h"
#include "widgets/arranging/split_page.h"
#include "widgets/dimming.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

/// A cut of the list, and what it frees by itself or why it cannot be made.
struct ShownCut {
  engine::CutShare share;  // of one that cannot be made no more than how it is written
  QString why;             // empty for one that can
};

QString kindText(const ShownCut& row) {
  if (!row.why.isEmpty()) return u"Not there"_s;
  switch (row.share.cut.kind) {
    case engine::CutKind::Reference:
      return u"Reference"_s;
    case engine::CutKind::Root:
      return u"Root"_s;
    case engine::CutKind::Object:
      return u"Object"_s;
    case engine::CutKind::Objects:
      break;
  }
  return u"Objects"_s;
}

RowSchema<ShownCut> cutSchema() {
  static const engine::TableOf<ShownCut> table = engine::cutsTable().within(&ShownCut::share);
  RowSchema<ShownCut> schema{.table = &table};
  const auto figure = [&](std::string field, int letters) {
    const auto read = table.columns()[*table.description().find(field)].value;
    schema.columns.push_back(
        {.setup = {.field = std::move(field), .letters = letters}, .cell = [read](const ShownCut& row) {
           return row.why.isEmpty() ? read(row) : engine::Cell(engine::Cell::Unknown{});
         }});
  };
  schema.columns.push_back(
      {.setup = {.field = "name", .letters = 40, .stretches = true, .holdsContents = false},
       .words = [](const ShownCut& row) { return row.why.isEmpty() ? givenNameText(row.share.name) : row.why; },
       .object = [](const ShownCut& row) { return row.share.cut.letGo; },
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

/// In the order of the list.
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
  schema.columns.push_back({.setup = {.field = "type", .stretches = true}, .type = &Row::methodTable});
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
  schema.columns.push_back({.setup = {.field = "object"}, .object = [](const Row& row) { return row.row.object; }});
  schema.identity = [](const Row& row) { return row.row.object; };
  return schema;
}

constexpr double kMostOfCuts = 0.4;  // of the height
constexpr int kBesideFrom = 150;     // characters
constexpr int kFewestLines = 4;      // of text, with the heading
constexpr int kLinesForAll = 34;     // of text; in fewer each of the lists would show a few rows only

RowsPanelSetup typesSetup() {
  RowsPanelSetup setup = RowsPanelSetup::ofList(freedTypeSchema());
  setup.name = u"freedTypes"_s;
  setup.title = u"What would be freed, by type"_s;
  setup.noun = u"types"_s;
  setup.filterHint = u"Filter by type"_s;
  setup.emptyHeading = u"Nothing would be freed"_s;
  setup.emptyText = u"Other references keep it alive."_s;
  return setup;
}

RowsPanelSetup objectsSetup() {
  RowsPanelSetup setup = RowsPanelSetup::ofList(freedObjectSchema());
  setup.name = u"freedObjects"_s;
  setup.title = u"The outermost objects that would be freed"_s;
  setup.noun = u"objects"_s;
  setup.filterHint = u"Filter by type or address"_s;
  setup.emptyHeading = u"Nothing would be freed"_s;
  setup.emptyText = u"Other references keep it alive."_s;
  return setup;
}

}  // namespace

WhatIfView::WhatIfView(EngineBridge& bridge, Navigator& navigator, CutList& cuts, QWidget* parent)
    : QWidget(parent),
      m_list(cuts),
      m_cuts(addCuts(bridge, navigator)),
      m_types(new RowsPanel(bridge, navigator, typesSetup(), {}, this)),
      m_objects(new RowsPanel(bridge, navigator, objectsSetup(), {}, this)),
      m_freed(new QLabel(this)),
      m_together(new QLabel(this)),
      m_parts(new PartTabs(u"whatIfParts"_s, this)),
      m_state(new StatePanel(this)),
      m_door(new WhatIfDoor(bridge, this)),
      m_pages(new QStackedWidget(this)) {
  m_freed->setObjectName(u"freedText"_s);
  m_freed->setFont(scaledFont(font(), 1.15, QFont::DemiBold));
  m_freed->setWordWrap(true);
  m_together->setObjectName(u"togetherText"_s);
  m_together->setWordWrap(true);
  auto* head = new QWidget(this);
  auto* lines = new QVBoxLayout(head);
  lines->setContentsMargins(12, 8, 12, 4);
  lines->addWidget(m_freed);
  lines->addWidget(m_together);
  auto* answer = new SplitPage(head, m_types, m_objects, {.besideFrom = kBesideFrom}, this);
  // Three lists, one above the other, have to fit a small window; what they say without rows needs more room than rows.
  for (const RowsPanel* panel : {m_cuts, m_types, m_objects}) {
    for (RowsTable* table : panel->findChildren<RowsTable*>())
      table->setMinimumHeight(kFewestLines * fontMetrics().height());
    for (StatePanel* state : panel->findChildren<StatePanel*>())
      state->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
  }
  m_body = new FittedSplit(m_cuts, m_cuts->findChild<RowsTable*>(), answer, kMostOfCuts, this);
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_door);
  connect(m_door, &WhatIfDoor::cutsWanted, &cuts, &CutList::addAll);
  auto* answered = new QWidget(m_pages);
  auto* column = new QVBoxLayout(answered);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_parts);
  column->addWidget(m_body, 1);
  m_pages->addWidget(answered);
  m_parts->addPart(u"Cuts"_s, {m_cuts});
  m_parts->addPart(u"Freed types"_s, {answer, m_types});
  m_parts->addPart(u"Freed objects"_s, {answer, m_objects});
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(0, 0, 0, 0);
  whole->addWidget(m_pages);
  setFocusProxy(m_cuts);
  connect(&cuts, &CutList::changed, this, &WhatIfView::showCuts);
  connect(&cuts, &CutList::progressed, this, [this](const engine::Progress& progress) {
    if (!m_list.answer()) m_state->showLoading(fromEngine(progress.activity));
  });
  showCuts();
}

RowsPanel* WhatIfView::addCuts(EngineBridge& bridge, Navigator& navigator) {
  RowsPanelSetup setup;
  setup.name = u"cuts"_s;
  setup.title = u"What is cut"_s;
  setup.noun = u"cuts"_s;
  setup.filterHint = u"Filter by name or address"_s;
  setup.columns = cutSchema().setups();
  const auto takeBack = [this](std::uint32_t row) {
    if (m_shown && row < static_cast<std::uint32_t>(m_shown->asked.size())) m_list.remove(m_shown->asked[row]);
  };
  auto* panel = new RowsPanel(bridge, navigator, std::move(setup), {}, this);
  connect(panel, &RowsPanel::menuOpening, this, [this, takeBack](QMenu* menu, std::uint32_t row) {
    menu->addAction(symbolIcon(u"back"_s), u"Take this cut back"_s, this, [takeBack, row] { takeBack(row); });
    menu->addSeparator();
  });
  auto* remove = new QShortcut(QKeySequence::Delete, panel, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
  connect(remove, &QShortcut::activated, this, [panel, takeBack] {
    if (const auto row = panel->currentRow()) takeBack(*row);
  });
  return panel;
}

void WhatIfView::showCuts() {
  const std::shared_ptr<const CutAnswer>& answer = m_list.answer();
  QWidget* other = m_list.isEmpty() && m_list.trouble().isEmpty() ? static_cast<QWidget*>(m_door) : m_state;
  m_pages->setCurrentWidget(answer ? m_body->parentWidget() : other);
  // What was found out for other cuts stays until there is more, but is no answer to these.
  setDimmed(m_body, m_list.isAsking());
  if (answer) {
    if (answer != m_shown) showAnswer(*answer);
  } else if (!m_list.trouble().isEmpty()) {
    m_state->showFailed(u"Not available"_s, m_list.trouble());
  } else if (!m_list.isEmpty()) {
    m_state->showLoading(u"Finding out what the cuts would free"_s);
  }
  m_shown = answer;
}

void WhatIfView::showSnapshot(const engine::Snapshot& snapshot) {
  m_door->showSnapshot(snapshot);
}

void WhatIfView::follow(const Location& location) {
  m_door->setPicked(location.selection.object);
}

void WhatIfView::clear() {
  m_door->clear();
}

void WhatIfView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_parts->setOneAtATime(height() < kLinesForAll * fontMetrics().height());
}

void WhatIfView::showAnswer(const CutAnswer& answer) {
  const engine::Snapshot& snapshot = answer.whatIf.snapshot();
  m_freed->setText(freedText(answer));
  m_freed->setToolTip(exactBytesText(answer.whatIf.freed().bytes));
  m_together->setText(togetherText(answer));
  m_together->setVisible(!m_together->text().isEmpty());
  m_cuts->setRows(makeRowList(shownCuts(answer), cutSchema()));
  m_types->setRows(makeRowList(engine::listFreedTypes(snapshot, answer.types), freedTypeSchema()));
  const engine::RetainedList outermost{.objects = answer.objects, .types = {}, .totals = {}, .findings = {}};
  m_objects->setRows(makeRowList(engine::listRetained(snapshot, outermost), freedObjectSchema()));
  const std::size_t left = answer.whatIf.outermostCount() - answer.objects.size();
  m_objects->setNote(left == 0 ? QString() : u"%1 smaller ones are left out."_s.arg(countText(left)));
}

}  // namespace heapscape::gui
