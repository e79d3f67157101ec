// SPDX-License-Identifier: MIT
#include "models/rows/rows_panel.h"

#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedLayout>
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "bridge/engine_thread.h"
#include "models/object_menu.h"
#include "models/query/query_edit.h"
#include "models/retained_offer.h"
#include "models/rows/picked_line.h"
#include "models/rows/row_groups.h"
#include "models/rows/row_links.h"
#include "models/rows/row_list.h"
#include "models/rows/row_objects.h"
#include "models/rows/rows_table.h"
#include "widgets/arranging/layouts.h"
#include "widgets/bar_row.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/colours.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

/// A chip for each kind of a list's rows that there is; those that are checked limit the list to their kinds.
class KindChips : public QWidget {
  Q_OBJECT

 public:
  /// `name`: of the list, "handles"; its chips are "handlesKind0", "handlesKind1" …
  explicit KindChips(QString name, QWidget* parent = nullptr);

  /// Chips that say what they said before stay, with the focus on them. None for no list.
  void show(const RowList* list, const std::set<std::size_t>& checked);
  /// All off, without telling.
  void uncheck();

 Q_SIGNALS:
  /// By whoever uses them.
  void toggled(std::size_t kind, bool isOn);

 private:
  const QString m_name;
  FlowLayout* m_line;
  std::vector<BarRow*> m_chips;
  std::optional<std::vector<RowKind>> m_shown;
};

namespace {

constexpr auto kLoadChannel = "load";
constexpr auto kOrderChannel = "order";
constexpr int kNarrowestFilter = 28, kWidestFilter = 60;  // letters

bool isAboutObjects(const RowsPanelSetup& setup) {
  return std::ranges::any_of(setup.columns, &ColumnSetup::isOfObject);
}

std::vector<ColumnSetup> columnsOf(const RowsPanelSetup& setup) {
  return isAboutObjects(setup) ? RowObjects::withKept(setup.name, setup.columns) : setup.columns;
}

}  // namespace

KindChips::KindChips(QString name, QWidget* parent)
    : QWidget(parent), m_name(std::move(name)), m_line(new FlowLayout(this, 6)) {}

void KindChips::show(const RowList* list, const std::set<std::size_t>& checked) {
  if (list && m_shown && *m_shown == list->kinds()) return;
  m_shown.reset();
  for (BarRow* chip : m_chips) {
    m_line->removeWidget(chip);
    chip->deleteLater();
  }
  m_chips.clear();
  if (!list) return;
  const std::vector<RowKind>& kinds = list->kinds();
  m_shown = kinds;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    if (kinds[kind].rows == 0) continue;
    auto* chip = makeKindChip(kinds[kind].name, kinds[kind].rows, list->size(), this);
    chip->setObjectName(u"%1Kind%2"_s.arg(m_name).arg(kind));
    chip->setToolTip(kinds[kind].tip);
    chip->setChecked(checked.contains(kind));
    connect(chip, &QAbstractButton::toggled, this, [this, kind](bool isOn) { Q_EMIT toggled(kind, isOn); });
    m_line->addWidget(chip);
    m_chips.push_back(chip);
  }
}

void KindChips::uncheck() {
  for (BarRow* chip : m_chips) {
    const QSignalBlocker quiet(chip);
    chip->setChecked(false);
  }
}

RowsPanel::RowsPanel(EngineBridge& bridge, Navigator& navigator, RowsPanelSetup setup, Load load, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_setup(std::move(setup)),
      m_load(std::move(load)),
      m_filter(new QueryEdit(bridge, m_setup.name, this)),
      m_chips(new KindChips(m_setup.name, this)),
      m_count(new QLabel(this)),
      m_error(nullptr),
      m_findings(new ElidedText(this)),
      m_table(new RowsTable(m_setup.name, m_setup.title, columnsOf(m_setup), m_setup.name, this)),
      m_model(&m_table->rows()),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout) {
  if (m_setup.emptyHeading.isEmpty() && !m_setup.emptyText.isEmpty())
    m_setup.emptyHeading = u"No %1"_s.arg(m_setup.noun);
  m_question.noun = m_setup.noun;
  m_question.sortColumn = m_setup.sortColumn;
  m_question.descending = m_setup.descending;
  connectTable();
  if (isAboutObjects(m_setup)) connectObjects();
  buildLine();
  updateLook();
  clear();
}

void RowsPanel::buildLine() {
  m_filter->setObjectName(m_setup.name + u"Filter"_s);
  m_filter->setPlaceholderText(m_setup.filterHint);
  m_filter->setMinimumWidth(fontMetrics().averageCharWidth() * kNarrowestFilter);
  m_filter->setAccessibleName(m_setup.filterHint);
  m_filter->setMaximumWidth(fontMetrics().averageCharWidth() * kWidestFilter);
  m_filter->setSchema(schemaOf(m_setup.table ? *m_setup.table : engine::TableDescription(), m_setup.noun));
  m_filter->setOrder(
      [this] { return SavedView{.sortColumn = m_question.sortColumn, .descending = m_question.descending}; },
      [this](const SavedView& view) {
        m_question.sortColumn = std::min(view.sortColumn, m_model->columnCount() - 1);
        m_question.descending = view.descending;
      });
  connect(m_filter, &QueryEdit::queryChanged, this, [this] {
    m_question.text = m_filter->text();
    ask();
  });
  m_error = new QueryErrorLine(*m_filter, this);
  connect(m_filter, &QueryEdit::complaintChanged, this, &RowsPanel::showComplaint);
  connect(m_chips, &KindChips::toggled, this, [this](std::size_t kind, bool isOn) {
    isOn ? static_cast<void>(m_question.kinds.insert(kind)) : static_cast<void>(m_question.kinds.erase(kind));
    m_areKindsChosen = true;
    ask();
  });
  m_count->setObjectName(m_setup.name + u"Count"_s);
  m_count->setTextFormat(Qt::PlainText);
  m_findings->setWarning(true);
  m_findings->setElideMode(Qt::ElideRight);

  auto* line = new HeadLayout;
  line->addWidget(m_filter);
  line->addWidget(m_chips);
  auto* parts = new QSplitter(Qt::Horizontal, this);
  if (m_setup.table) {
    m_groups = new RowGroups(m_bridge, m_navigator, m_setup.name, m_setup.noun, m_setup.columns, m_objects, parts);
    line->addWidget(&m_groups->choice());
    connect(m_groups, &RowGroups::rowsChanged, this, [this] { showRows(m_groups->rows()); });
  }
  line->addWidget(m_count);
  auto* head = new QVBoxLayout;
  head->setContentsMargins(12, 8, 12, 8);
  head->setSpacing(6);
  head->addLayout(line);
  head->addWidget(m_error);
  head->addWidget(m_findings);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(head);
  if (m_setup.hasRetained) column->addWidget(new RetainedOffer(m_bridge, this));
  auto* pages = new QWidget(parts);
  pages->setLayout(m_pages);
  parts->setStretchFactor(parts->indexOf(pages), 1);
  parts->setChildrenCollapsible(false);
  parts->setHandleWidth(1);
  column->addWidget(parts, 1);
  column->addWidget(new PickedLine(m_bridge, m_navigator, *m_table, this));
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_table);
  setFocusProxy(m_filter);
}

void RowsPanel::connectTable() {
  connect(m_table, &RowsTable::sortWanted, this, [this](int section, bool descending) {
    m_question.sortColumn = section;
    m_question.descending = descending;
    ask();
  });
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
    if (m_isShowing || !current.isValid()) return;
    const std::uint32_t row = m_model->rowAt(current.row());
    const RowLink link = m_model->list()->target(row);
    if (isStillThere(row)) m_current = row;
    if (!m_isPicking && !link.isEmpty())
      m_navigator.select({.object = link.object, .methodTable = link.methodTable, .segment = {}});
    if (isStillThere(row)) Q_EMIT rowPicked(row);
    if (!m_isPicking) tellCurrent();
  });
  connect(m_table, &QAbstractItemView::activated, this, &RowsPanel::activate);
  connect(m_table, &QWidget::customContextMenuRequested, this, &RowsPanel::openMenu);
}

void RowsPanel::connectObjects() {
  m_objects = new RowObjects(m_bridge, *m_table, m_setup.name, m_setup.columns);
  connect(m_objects, &RowObjects::progressed, this, [this](const engine::Progress& progress) {
    m_count->setText(u"Reading the objects… %1%"_s.arg(static_cast<int>(progress.fraction * 100)));
  });
  connect(m_objects, &RowObjects::shownChanged, this, &RowsPanel::readShown);
  connect(m_objects, &RowObjects::columnsChanged, this, [this] {
    if (!m_rows) return;
    const auto sorted = static_cast<std::size_t>(m_question.sortColumn);  // of the columns before
    if (m_question.sortColumn != RowQuestion::kAsGiven)
      m_question.sortColumn = m_table->sectionOf(m_rows->columns()[sorted].field);
    m_rows = m_objects->fitted(m_rows);
    ++m_rowsSet;
    ask();
  });
}

RowsPanel::~RowsPanel() = default;

void RowsPanel::load() {
  if (!m_load || m_rows || m_isLoading || !m_bridge.snapshot()) return;
  m_isLoading = true;
  showWaiting(m_setup.loading);
  m_bridge.ask(this, kLoadChannel, m_load, [this](const engine::Outcome<std::shared_ptr<const RowList>>& answer) {
    m_isLoading = false;
    if (answer) return setRows(*answer);
    if (!answer.error().isCancelled()) showFailure(answer.error().error());
  });
}

void RowsPanel::reload() {
  m_isLoading = false;  // what is on its way is of an earlier stage, and is dropped by asking anew
  if (!m_rows || !m_load) {
    load();
    return;
  }
  m_bridge.ask(this, kLoadChannel, m_load, [this](const engine::Outcome<std::shared_ptr<const RowList>>& answer) {
    if (answer) updateRows(*answer);
  });
}

void RowsPanel::updateRows(std::shared_ptr<const RowList> rows) {
  if (!m_rows) {
    setRows(std::move(rows));
    return;
  }
  const engine::Address picked = m_current ? m_rows->identity(*m_current) : engine::Address{};
  const bool isSame = rows->size() == m_rows->size();
  m_rows = m_objects ? m_objects->fitted(rows) : std::move(rows);
  ++m_rowsSet;
  if (m_current && (!isSame || m_rows->identity(*m_current) != picked)) m_current.reset();
  showKinds();
  showFindings();
  Q_EMIT loaded();
  ask();
}

void RowsPanel::setRows(std::shared_ptr<const RowList> rows) {
  releaseLater(std::exchange(m_rows, m_objects ? m_objects->fitted(rows) : std::move(rows)));
  ++m_rowsSet;
  m_current.reset();
  m_isShowing = true;
  m_model->clear();
  m_isShowing = false;
  showKinds();
  showFindings();
  Q_EMIT loaded();
  ask();
}

void RowsPanel::clear() {
  m_filter->beginFile();
  m_question.text = m_filter->text();
  m_bridge.stopAsking(this, kLoadChannel);
  m_bridge.stopAsking(this, kOrderChannel);
  if (m_objects) m_objects->stop();
  m_isLoading = false;
  if (m_groups) m_groups->clear();
  releaseLater(std::exchange(m_rows, nullptr));
  m_current.reset();
  m_wanted = {};
  m_question.kinds = m_setup.kinds;
  m_areKindsChosen = false;
  m_isShowing = true;
  m_model->clear();
  m_isShowing = false;
  m_table->setEnabled(true);
  showKinds();
  showFindings();
  showCount();
  m_state->showEmpty(u"No dump is open"_s, u"Open a core dump to see its %1."_s.arg(m_setup.noun));
  m_pages->setCurrentWidget(m_state);
  Q_EMIT cleared();
}

void RowsPanel::showEmpty() {
  m_state->showEmpty(m_setup.emptyHeading, m_setup.emptyText);
  m_pages->setCurrentWidget(m_state);
}

void RowsPanel::showWaiting(const QString& text) {
  m_state->showLoading(text);
  m_pages->setCurrentWidget(m_state);
}

void RowsPanel::showLacking() {
  showRetainedState(*m_state, m_bridge);
  m_pages->setCurrentWidget(m_state);
}

void RowsPanel::showFailure(const engine::Error& error) {
  m_state->showFailed(u"The %1 cannot be listed"_s.arg(m_setup.noun), fromEngine(error.message()));
  m_pages->setCurrentWidget(m_state);
}

int RowsPanel::leastWidth() const {
  return m_table->leastWidth();
}

void RowsPanel::showKinds() {
  // Of those that the list begins with, one without rows has no chip to take it off by; unless there are no others.
  const auto hasRows = [this](std::size_t kind) { return m_rows->kinds()[kind].rows > 0; };
  if (!m_areKindsChosen) m_question.kinds = m_setup.kinds;
  if (m_rows && std::ranges::any_of(m_question.kinds, hasRows))
    std::erase_if(m_question.kinds, [&](std::size_t kind) { return !hasRows(kind); });
  m_chips->show(m_rows.get(), m_question.kinds);
  if (m_rows) m_filter->setSchema(schemaOf(m_rows->description(), m_setup.noun));
}

void RowsPanel::showFindings() {
  QStringList parts;
  if (!m_note.isEmpty()) parts << m_note;
  if (m_rows && !m_rows->findings().items().empty()) {
    const std::uint64_t count = m_rows->findings().items().size() + m_rows->findings().leftOut();
    const QString first = fromEngine(m_rows->findings().items().front().message);
    parts << (count == 1 ? first : u"%1 findings; the first: %2"_s.arg(countText(count), first));
  }
  m_findings->setVisible(!parts.isEmpty());
  m_findings->setText(u"⚠ "_s + parts.join(QLatin1Char(' ')));
}

bool RowsPanel::dropOldFilter(bool isFound) {
  if (!m_filter->dropUnlessFound(isFound)) return false;
  m_question.text.clear();
  return true;
}

void RowsPanel::ask() {
  if (!m_rows) return;
  if (m_filter->error()) dropOldFilter(false);
  const auto done = [this, asked = m_rowsSet](engine::Outcome<OrderedRows> answer) {
    if (asked != m_rowsSet) return;
    if (!answer) return answer.error().isCancelled() ? void() : showFailure(answer.error().error());
    takeRead(std::move(answer->rows));
    show(std::move(answer->order));
    readShown();
  };
  if (m_objects) {
    m_objects->order(m_rows, m_question, done);
    return;
  }
  m_bridge.compute(
      this, kOrderChannel,
      [rows = m_rows, question = m_question](std::stop_token stop) { return orderRows(rows, question, stop); }, done);
}

void RowsPanel::takeRead(std::shared_ptr<const RowList> rows) {
  const auto before = std::exchange(m_rows, std::move(rows));
  if (m_rows == before) return;
  if (m_model->list() == before) m_model->update(m_rows);
  if (m_groups) m_groups->update(before, m_rows);
}

void RowsPanel::readShown() {
  if (!m_objects || !m_rows || !isVisible() || m_model->list() != m_rows) return;
  m_objects->readShown(m_rows, [this, asked = m_rows](std::shared_ptr<const RowList> rows) {
    if (asked == m_rows) takeRead(std::move(rows));
  });
}

void RowsPanel::show(std::vector<std::uint32_t> order) {
  if (m_rows->size() > 0 && dropOldFilter(!order.empty())) {
    ask();
    return;
  }
  // As under a complaint.
  if (order.empty() && m_model->rowCount() > 0 && m_model->list() == m_rows && m_filter->isQueryBegun()) {
    m_table->setEnabled(false);
    showCount();
    return;
  }
  if (!m_groups) {
    showRows(std::move(order));
    return;
  }
  m_groups->group(m_rows, std::move(order));
  showRows(m_groups->rows());
}

void RowsPanel::showRows(std::vector<std::uint32_t> order) {
  if (!m_rows) return;
  m_isShowing = true;
  const int scrolled = m_table->verticalScrollBar()->value();
  m_model->show(m_rows, std::move(order));
  m_table->verticalScrollBar()->setValue(scrolled);
  m_table->showSorting(m_question.sortColumn, m_question.descending);
  const int line = m_current ? m_model->lineOf(*m_current) : -1;
  if (line >= 0) {
    m_table->setCurrentIndex(m_model->index(line, 0));
    m_table->scrollTo(m_model->index(line, 0));
  }
  m_isShowing = false;
  m_table->setEnabled(m_filter->complaint().isEmpty());
  showCount();
  showState();
  pickWanted();
}

// Rows of the last filter stay until there are others, but are no answer to this one.
void RowsPanel::showComplaint(const QString& complaint) {
  if (complaint.isEmpty() || !m_rows) return;
  m_table->setEnabled(false);
  showCount();
  showState();
}

void RowsPanel::showState() {
  if (m_model->rowCount() > 0) {
    m_pages->setCurrentWidget(m_table);
    return;
  }
  if (m_rows->size() == 0) {
    showEmpty();
    return;
  }
  if (!m_filter->complaint().isEmpty()) {
    showNotUnderstood(*m_state, *m_filter);
  } else if (hasOnlyOthers()) {
    m_state->showEmpty(m_setup.emptyHeading, m_setup.emptyText);
    m_state->setAction(u"Show all %1"_s.arg(countedRows()), [this] { setFilter({}); });
  } else {
    m_state->showEmpty(u"No match"_s, m_rows->size() == 1 ? u"The only one there is does not fit the filter."_s
                                                          : u"None of the %1 %2 fits the filter."_s.arg(
                                                                countText(m_rows->size()), m_setup.noun));
    m_state->setAction(u"Clear the filter"_s, [this] { setFilter({}); });
  }
  m_pages->setCurrentWidget(m_state);
}

void RowsPanel::showCount() {
  const bool hasAny = m_rows && m_rows->size() > 0;
  m_filter->setVisible(hasAny);
  if (m_groups) m_groups->choice().setVisible(hasAny);
  m_count->setVisible(hasAny);
  if (!m_rows || !m_table->isEnabled()) {
    m_count->setText({});
    return;
  }
  const QString all = countedRows();
  const bool isPart = isNarrowed() || static_cast<std::uint32_t>(m_model->rowCount()) != m_rows->size();
  m_count->setText(isPart ? u"%1 of %2"_s.arg(countText(static_cast<std::uint64_t>(m_model->rowCount())), all) : all);
}

QString RowsPanel::countedRows() const {
  return countedText(m_rows->size(), m_setup.one.isEmpty() ? m_setup.noun.chopped(1) : m_setup.one, m_setup.noun);
}

bool RowsPanel::hasOnlyOthers() const {
  return !m_areKindsChosen && !m_question.kinds.empty() && m_question.text.isEmpty();
}

void RowsPanel::setFilter(const QString& text) {
  m_question.kinds.clear();
  m_chips->uncheck();
  m_filter->setText(text);
  m_filter->settle();
  m_question.text = text;
  ask();
}

void RowsPanel::pick(engine::Address identity) {
  m_wanted = identity;
  if (m_rows && !m_filter->isResting()) pickWanted();
}

void RowsPanel::tellCurrent() {
  const QModelIndex current = m_table->currentIndex();
  if (!current.isValid() || !m_model->list()) return;
  const RowList& list = *m_model->list();
  const std::uint32_t row = m_model->rowAt(current.row());
  if (!list.target(row).isEmpty()) return;
  PickedThing thing{.kind = m_setup.one.isEmpty() ? m_setup.noun : m_setup.one, .title = {}, .facts = {}};
  if (m_setup.one.isEmpty() && thing.kind.endsWith(QLatin1Char('s'))) thing.kind.chop(1);
  if (!thing.kind.isEmpty()) thing.kind[0] = thing.kind[0].toUpper();
  for (std::size_t column = 0; column < list.columns().size(); ++column) {
    const QString said = list.display(row, column);
    if (said.isEmpty() || m_table->isColumnHidden(static_cast<int>(column))) continue;
    if (thing.title.isEmpty() && isWritten(list.columns()[column].kind)) {
      thing.title = said;
    } else {
      thing.facts.push_back({list.columns()[column].title, said});
    }
  }
  m_navigator.tell(thing);
}

void RowsPanel::pickLine(int line) {
  m_isPicking = true;
  m_table->setCurrentIndex(m_model->index(line, 0));
  m_table->scrollTo(m_model->index(line, 0), QAbstractItemView::PositionAtCenter);
  m_isPicking = false;
}

void RowsPanel::pickWanted() {
  if (!m_rows || m_model->list() != m_rows) return;  // their order is on its way
  if (std::exchange(m_wantsFirst, false) && !m_wanted && m_model->rowCount() > 0) pickLine(0);
  if (!m_wanted) return;
  const engine::Address wanted = std::exchange(m_wanted, {});
  std::uint32_t row = 0;
  while (row < m_rows->size() && m_rows->identity(row) != wanted) ++row;
  if (row == m_rows->size()) return;
  const int line = m_model->lineOf(row);
  if (line >= 0) {
    pickLine(line);
  } else if (isNarrowed()) {
    m_wanted = wanted;
    setFilter({});
    return;
  } else {
    m_wanted = wanted;  // the rows are here, their order is on its way
    return;
  }
  Q_EMIT found();
}

bool RowsPanel::isStillThere(std::uint32_t row) const {
  const auto& shown = m_model->list();
  return shown == m_rows ||
         (shown && m_rows && shown->size() == m_rows->size() && shown->identity(row) == m_rows->identity(row));
}

void RowsPanel::activate(const QModelIndex& index) {
  const std::uint32_t row = m_model->rowAt(index.row());
  const RowList& shown = *m_model->list();
  const RowLink own = shown.link(row, static_cast<std::size_t>(index.column()));
  const RowLink link = own.isEmpty() ? shown.target(row) : own;
  if (link.isEmpty() && !isStillThere(row)) return;
  if (link.isEmpty())
    Q_EMIT rowActivated(row);
  else
    m_activation && !link.object ? m_activation(link) : followLink(m_navigator, link);
}

void RowsPanel::openMenu(const QPoint& position) {
  const QModelIndex index = m_table->indexAt(position);
  if (!index.isValid()) return;
  if (auto* picked = findChild<PickedLine*>(); picked && picked->openMenu(index, position)) return;
  const ContextMenu opened(this);
  QMenu& menu = *opened;
  const std::uint32_t row = m_model->rowAt(index.row());
  const auto shown = m_model->list();
  if (isStillThere(row)) Q_EMIT menuOpening(&menu, row);
  addLinks(menu, m_navigator, *shown, row);
  const std::size_t column = static_cast<std::size_t>(index.column());
  const bool isAddress = shown->columns()[column].kind == engine::ColumnKind::Address && shown->isKnown(row, column);
  // The menu of an object has it already.
  if (isAddress && shown->link(row, column).object.value != shown->number(row, column))
    addMemoryLink(menu, m_navigator, {shown->number(row, column)});
  const QString cell = shown->plain(row, static_cast<std::size_t>(index.column()));
  addCopy(menu, u"Copy cell"_s, cell);
  menu.addActions(m_table->actions());
  menu.exec(m_table->viewport()->mapToGlobal(position));
}

void RowsPanel::updateLook() {
  QPalette dimmed = palette();
  dimmed.setColor(QPalette::WindowText, Colours(palette()).dimmedText());
  m_count->setPalette(dimmed);
}

void RowsPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  readShown();
}

void RowsPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) updateLook();
}

}  // namespace heapscape::gui

#include "rows_panel.moc"
