// SPDX-License-Identifier: MIT
#include "views/layouts/layout_types_list.h"

#include <QHBoxLayout>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "models/query/query_edit.h"
#include "models/rows/rows_table.h"
#include "models/rows/table_setup.h"
#include "widgets/context_menu.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/tool_button.h"

namespace heapscape::gui {
namespace {

constexpr auto kTypesChannel = "layout types";
constexpr auto kOrderChannel = "order";
constexpr auto kFindChannel = "layout type by name";
constexpr auto kCompareChannel = "all layouts";
// Narrower, the columns would take the name's room.
constexpr int kAssemblyFromLetters = 86;
constexpr int kObjectsFromLetters = 72;
constexpr int kPaddingFromLetters = 52;
constexpr int kFewestLetters = 39;

}  // namespace

LayoutTypesList::LayoutTypesList(EngineBridge& bridge, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_filter(new QueryEdit(bridge, u"layoutTypes"_s, this)),
      m_differs(new QToolButton(this)),
      m_comparing(new ElidedText(this)),
      m_table(new RowsTable(u"layoutTypes"_s, u"Types"_s, layoutTypeSchema(false).setups(), {}, this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout) {
  m_question.noun = u"types"_s;
  m_question.sortColumn = LayoutSavingColumn;
  m_question.descending = true;
  addParts();
  connect(m_table, &RowsTable::sortWanted, this, &LayoutTypesList::sortBy);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
    if (!m_isFollowing && current.isValid()) Q_EMIT picked(selectionAt(current.row()));
  });
}

void LayoutTypesList::addFilter() {
  m_filter->setObjectName(u"layoutTypeFilter"_s);
  m_filter->setPlaceholderText(u"Find by name or query"_s);
  m_filter->setAccessibleName(u"Find types by name or query"_s);
  m_filter->setToolTip(
      u"Part of a name, or a query: padding > 1 KB. Or a full name and Enter, for any type: "
      "System.Collections.Generic.List<System.Int32>"_s);
  m_filter->setOrder(
      [this] { return SavedView{.sortColumn = m_question.sortColumn, .descending = m_question.descending}; },
      [this](const SavedView& view) {
        m_question.sortColumn = std::clamp<int>(view.sortColumn, LayoutNameColumn, LayoutAssemblyColumn);
        m_question.descending = view.descending;
      });
  connect(m_filter, &QueryEdit::queryChanged, this, &LayoutTypesList::ask);
  connect(m_filter, &QueryEdit::complaintChanged, this, &LayoutTypesList::showComplaint);
  connect(m_filter, &QLineEdit::returnPressed, this, &LayoutTypesList::findByName);
}

void LayoutTypesList::addParts() {
  addFilter();
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  offerActions(m_table);
  m_table->setColumnHidden(LayoutAssemblyColumn, true);

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* line = new QVBoxLayout;
  line->setContentsMargins(12, 8, 12, 8);
  line->setSpacing(6);
  line->addWidget(m_filter);
  line->addWidget(new QueryErrorLine(*m_filter, this));
  addDiffers(line);
  column->addLayout(line);
  column->addLayout(m_pages, 1);
  m_pages->addWidget(m_table);
  m_pages->addWidget(m_state);
  setFocusProxy(m_filter);
  setMinimumWidth(fontMetrics().averageCharWidth() * kFewestLetters);
}

void LayoutTypesList::addDiffers(QVBoxLayout* column) {
  setUpTextButton(m_differs, u"layoutTypesDiffer"_s, u"Only types that differ"_s,
                  u"Only types that are not the same sequential, auto and in the best order"_s);
  m_differs->setCheckable(true);
  connect(m_differs, &QToolButton::toggled, this, &LayoutTypesList::wantDiffering);
  m_comparing->setObjectName(u"layoutTypesComparing"_s);
  m_comparing->setDimmed(true);
  auto* line = new QHBoxLayout;
  line->addWidget(m_differs);
  line->addWidget(m_comparing, 1);
  column->addLayout(line);
}

void LayoutTypesList::load() {
  m_isOfAssembly = m_bridge.isAssembly();
  m_filter->setSchema(schemaOf(layoutTypeSchema(m_isOfAssembly).asTable().description(), m_question.noun));
  const auto done = [this](const engine::Outcome<Rows>& rows) { takeRows(rows); };
  if (m_isOfAssembly) {
    m_bridge.ask(
        this, kTypesChannel,
        [](const engine::DeclaredLayouts& layouts, std::stop_token stop) {
          return readLayoutTypes(layouts, std::move(stop));
        },
        done);
  } else {
    m_bridge.ask(
        this, kTypesChannel,
        [](const engine::Snapshot& snapshot, std::stop_token stop) {
          return readLayoutTypes(snapshot, std::move(stop));
        },
        done);
  }
}

void LayoutTypesList::clear() {
  m_filter->beginFile();
  m_bridge.stopAsking(this, kTypesChannel);
  m_bridge.stopAsking(this, kOrderChannel);
  m_bridge.stopAsking(this, kCompareChannel);
  m_compared = Compared::No;
  m_comparing->setText({});
  m_rows.reset();
  m_followed = {};
  m_isFollowing = true;
  m_table->rows().clear();
  m_isFollowing = false;
  m_pages->setCurrentWidget(m_table);
}

void LayoutTypesList::takeRows(const engine::Outcome<Rows>& rows) {
  if (!rows) {
    if (!rows.error().isCancelled()) showFailure(rows.error().error());
    return;
  }
  m_rows = *rows;
  ask();
  if (isVisible()) compareAll();
}

// Laying all types out takes a while: only for who looks at them.
void LayoutTypesList::compareAll() {
  if (!m_rows || m_compared != Compared::No) return;
  m_compared = Compared::Running;
  showComparing({});
  const auto progressed = [this](const engine::Progress& progress) { showComparing(progress); };
  const auto done = [this](const engine::Outcome<Rows>& rows) { takeSavings(rows); };
  if (m_isOfAssembly) {
    m_bridge.askLong(
        this, kCompareChannel,
        [rows = m_rows](const engine::DeclaredLayouts& layouts, engine::ProgressSink* progress,
                        std::stop_token stop) -> engine::Outcome<Rows> {
          HEAPSCAPE_TRY(const auto byRules, engine::layoutsByRules(layouts, progress, std::move(stop)));
          return withSavings(*rows, *byRules, true);
        },
        progressed, done);
  } else {
    m_bridge.askLong(
        this, kCompareChannel,
        [rows = m_rows](const engine::Snapshot& snapshot, engine::ProgressSink* progress,
                        std::stop_token stop) -> engine::Outcome<Rows> {
          HEAPSCAPE_TRY(const auto byRules, engine::layoutsByRules(snapshot, progress, std::move(stop)));
          return withSavings(*rows, *byRules, false);
        },
        progressed, done);
  }
}

void LayoutTypesList::takeSavings(const engine::Outcome<Rows>& rows) {
  m_comparing->setText({});
  if (!rows) {
    if (rows.error().isCancelled()) return;
    m_compared = Compared::Stopped;
    m_comparing->setText(u"Not compared: %1"_s.arg(fromEngine(rows.error().error().message())));
    m_differs->setChecked(false);
    return;
  }
  m_compared = Compared::Done;
  m_rows = *rows;
  ask();
}

void LayoutTypesList::showComparing(const engine::Progress& progress) {
  const QString percent = QString::number(static_cast<int>(progress.fraction * 100)) + QLatin1Char('%');
  m_comparing->setText(u"laying out all types: %1"_s.arg(percent));
  if (!m_differs->isChecked()) return;
  m_state->showLoading(u"Laying out all types in every way: %1"_s.arg(percent));
  m_state->setAction(u"Stop"_s, [this] { stopComparing(); });
  m_pages->setCurrentWidget(m_state);
}

void LayoutTypesList::stopComparing() {
  m_bridge.stopAsking(this, kCompareChannel);
  m_compared = Compared::Stopped;
  m_comparing->setText({});
  m_differs->setChecked(false);
}

void LayoutTypesList::wantDiffering(bool isWanted) {
  if (isWanted && m_compared == Compared::Stopped) m_compared = Compared::No;
  if (isWanted) compareAll();
  ask();
}

// By what could be saved the reader's own come first: that is the order of the list itself.
RowQuestion LayoutTypesList::question() const {
  RowQuestion asked = m_question;
  asked.text = m_filter->text().trimmed();
  if (asked.sortColumn == LayoutSavingColumn && asked.descending) asked.sortColumn = RowQuestion::kAsGiven;
  if (m_differs->isChecked()) asked.kinds = {static_cast<std::size_t>(LayoutTypeKind::Differs)};
  return asked;
}

void LayoutTypesList::ask() {
  if (!m_rows) return;
  if (m_differs->isChecked() && m_compared != Compared::Done) {
    showComparing({});
    return;
  }
  m_bridge.compute(
      this, kOrderChannel,
      [rows = m_rows, question = question()](std::stop_token stop) { return askRows(*rows, question, stop); },
      [this, asked = m_rows](engine::Outcome<std::vector<std::uint32_t>> order) {
        if (asked != m_rows) return;
        if (order) return show(std::move(*order));
        if (!order.error().isCancelled()) showFailure(order.error().error());
      });
}

Selection LayoutTypesList::selectionAt(int line) const {
  const LayoutTypeRow& type = m_rows->as<LayoutTypeRow>(m_table->rows().rowAt(line));
  return {.object = {}, .methodTable = type.type.methodTable, .segment = {}, .layoutType = type.id};
}

// A row of that name is shown already; what is not among them may still be a type, like any List<> one can think of.
void LayoutTypesList::findByName() {
  const std::string name = m_filter->text().trimmed().toStdString();
  if (name.empty() || !m_filter->isPlainText()) return;
  m_bridge.ask(
      this, kFindChannel,
      [name](const engine::DeclaredLayouts& layouts, std::stop_token) { return layouts.find(name); },
      [this](const engine::Result<engine::LayoutTypeId>& type) {
        if (type) return Q_EMIT picked({.object = {}, .methodTable = {}, .segment = {}, .layoutType = *type});
        if (m_table->rows().rowCount() > 0) return;
        m_state->showEmpty(u"No such type"_s, fromEngine(type.error().message()));
        m_state->setAction(u"Clear the filter"_s, [this] { m_filter->clear(); });
      });
}

void LayoutTypesList::showFailure(const engine::Error& error) {
  m_state->showFailed(u"The types cannot be listed"_s, fromEngine(error.message()));
  m_pages->setCurrentWidget(m_state);
  Q_EMIT noneKnown();
}

void LayoutTypesList::show(std::vector<std::uint32_t> order) {
  if (m_rows->size() > 0 && m_filter->dropUnlessFound(!order.empty())) {
    ask();
    return;
  }
  // As under a complaint.
  if (order.empty() && m_table->rows().rowCount() > 0 && m_table->rows().list() == m_rows && m_filter->isQueryBegun()) {
    m_table->setEnabled(false);
    return;
  }
  m_isFollowing = true;
  const std::vector<ColumnSetup>& columns = m_rows->columns();
  if (m_table->rows().columns()[LayoutObjectsColumn].title != columns[LayoutObjectsColumn].title)
    m_table->setColumns(columns);
  m_table->rows().show(m_rows, std::move(order));
  m_table->showSorting(m_question.sortColumn, m_question.descending);
  m_isFollowing = false;
  m_table->setEnabled(m_filter->complaint().isEmpty());
  showColumns();
  if (m_table->rows().rowCount() == 0) {
    showNone();
    followNow();
    Q_EMIT noneKnown();
    return;
  }
  m_pages->setCurrentWidget(m_table);
  followNow();
  Q_EMIT firstKnown(selectionAt(0));
}

void LayoutTypesList::showNone() {
  m_state->showEmpty(u"No such type"_s,
                     m_filter->isPlainText()
                         ? u"None of the types listed has “%1” in its name. Enter looks for a type of that full "
                           "name: a generic one may have any arguments."_s.arg(m_filter->text())
                         : u"None of the types listed fits the query."_s);
  if (m_filter->text().trimmed().isEmpty() && m_differs->isChecked()) {
    m_state->showEmpty(u"No type differs"_s, u"Sequential, auto and best order are the same for every type."_s);
    m_state->setAction(u"Show all types"_s, [this] { m_differs->setChecked(false); });
    m_pages->setCurrentWidget(m_state);
    return;
  }
  m_state->setAction(u"Clear the filter"_s, [this] { m_filter->clear(); });
  m_pages->setCurrentWidget(m_state);
}

// Types of the last query stay, dimmed.
void LayoutTypesList::showComplaint(const QString& complaint) {
  m_table->setEnabled(complaint.isEmpty() && m_table->isEnabled());
  if (complaint.isEmpty() || m_table->rows().rowCount() > 0 || !m_rows) return;
  showNotUnderstood(*m_state, *m_filter);
  m_pages->setCurrentWidget(m_state);
}

void LayoutTypesList::sortBy(int section, bool descending) {
  m_question.sortColumn = section;
  m_question.descending = descending;
  ask();
}

void LayoutTypesList::follow(const Selection& selection) {
  m_followed = selection;
  followNow();
}

void LayoutTypesList::step(int by) {
  const int line = m_table->currentIndex().row() + by;
  if (line >= 0 && line < m_table->rows().rowCount()) m_table->pickLine(line);
}

void LayoutTypesList::followNow() {
  int line = m_table->rows().lineAbout(m_followed.methodTable);
  for (std::uint32_t row = 0; line < 0 && !m_followed.layoutType.isNone() && m_rows && row < m_rows->size(); ++row) {
    if (m_rows->as<LayoutTypeRow>(row).id == m_followed.layoutType) line = m_table->rows().lineOf(row);
  }
  m_isFollowing = true;
  m_table->pickLine(line);
  m_isFollowing = false;
}

void LayoutTypesList::showColumns() {
  const int letters = width() / fontMetrics().averageCharWidth();
  m_table->setColumnHidden(LayoutAssemblyColumn, !m_isOfAssembly || letters < kAssemblyFromLetters);
  m_table->setColumnHidden(LayoutObjectsColumn, letters < kObjectsFromLetters);
  m_table->setColumnHidden(LayoutPaddingColumn, letters < kPaddingFromLetters);
}

void LayoutTypesList::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  compareAll();
}

void LayoutTypesList::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  showColumns();
}

}  // namespace heapscape::gui
