// SPDX-License-Identifier: MIT
#include "views/types/object_list.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QObject>
#include <QScrollBar>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>
#include <vector>

#include "bridge/engine_thread.h"
#include "models/object_menu.h"
#include "models/rows/field_columns.h"
#include "models/rows/header_columns.h"
#include "models/rows/picked_line.h"
#include "models/rows/picked_sets.h"
#include "models/rows/rows_as_text.h"
#include "models/rows/rows_table.h"
#include "widgets/context_menu.h"
#include "widgets/dimming.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

/// Fetches the pages of a table with PagedRows as they come into sight, and all that are copied.
class RowPages : public QObject {
  Q_OBJECT

 public:
  /// Takes over the table's actions that copy rows. Lives as long as the table; the bridge outlives both.
  RowPages(EngineBridge& bridge, RowsTable& table);

 private:
  void fetchVisible();
  void copyPicked(RowsFormat format);

  EngineBridge& m_bridge;
  RowsTable& m_table;
  std::vector<std::uint32_t> m_asked;  // pages that are on their way
};

namespace {

constexpr auto kPagesChannel = "pages";
constexpr auto kCopyChannel = "copy";

using Rows = std::shared_ptr<const PagedRows>;
using Lists = std::vector<std::shared_ptr<const RowList>>;

// On the engine thread.
engine::Outcome<Lists> readPages(const PagedRows& rows, const std::vector<std::uint32_t>& pages,
                                 const std::stop_token& stop) {
  Lists lists;
  for (const std::uint32_t page : pages) {
    const std::uint32_t first = page * PagedRows::kPageRows;
    HEAPSCAPE_TRY(auto list, rows.read(first, std::min(PagedRows::kPageRows, rows.size - first), stop));
    lists.push_back(std::move(list));
  }
  return lists;
}

// Lines are ascending, so that each page is read once. On the engine thread.
engine::Outcome<QString> textOf(const PagedRows& rows, const std::vector<std::uint32_t>& lines,
                                const std::vector<int>& shown, CopiedRows copied, const std::stop_token& stop) {
  std::shared_ptr<const RowList> list;
  std::uint32_t first = 0;
  for (const std::uint32_t line : lines) {
    if (!list || line >= first + list->size()) {
      first = line;
      HEAPSCAPE_TRY(list, rows.read(first, std::min(PagedRows::kPageRows, rows.size - first), stop));
    }
    copied.add(copiedRow(*list, line - first, shown));
  }
  return copied.text();
}

}  // namespace

RowPages::RowPages(EngineBridge& bridge, RowsTable& table) : QObject(&table), m_bridge(bridge), m_table(table) {
  connect(table.verticalScrollBar(), &QScrollBar::valueChanged, this, &RowPages::fetchVisible);
  connect(table.verticalScrollBar(), &QScrollBar::rangeChanged, this, &RowPages::fetchVisible);
  connect(&table.rows(), &QAbstractItemModel::modelReset, this, [this] {
    m_asked.clear();
    m_bridge.stopAsking(this, kPagesChannel);
    m_bridge.stopAsking(this, kCopyChannel);
    // Once the table knows of it; where it is scrolled to may have stayed.
    QMetaObject::invokeMethod(this, &RowPages::fetchVisible, Qt::QueuedConnection);
  });
  replaceCopyRows(table, [this](RowsFormat format) { copyPicked(format); });
}

void RowPages::fetchVisible() {
  const Rows& rows = m_table.rows().paged();
  const int first = m_table.rowAt(0);
  if (!rows || rows->size == 0 || first < 0) return;
  const int below = m_table.rowAt(m_table.viewport()->height() - 1);
  const auto last = below < 0 ? rows->size - 1 : static_cast<std::uint32_t>(below);
  std::vector<std::uint32_t> missing;
  for (std::uint32_t page = static_cast<std::uint32_t>(first) / PagedRows::kPageRows;
       page <= last / PagedRows::kPageRows; ++page) {
    if (!m_table.rows().hasPage(page)) missing.push_back(page);
  }
  if (missing.empty() || missing == m_asked) return;
  m_asked = missing;
  m_bridge.ask(
      this, kPagesChannel,
      [rows, missing](const engine::Snapshot&, const std::stop_token& stop) { return readPages(*rows, missing, stop); },
      [this, missing](const engine::Outcome<Lists>& lists) {
        m_asked.clear();
        if (!lists) return;
        for (std::size_t i = 0; i < missing.size(); ++i) m_table.rows().addPage(missing[i], (*lists)[i]);
        fetchVisible();
      });
}

void RowPages::copyPicked(RowsFormat format) {
  const Rows& rows = m_table.rows().paged();
  std::vector<LineRange> picked = m_table.pickedRanges();
  if (!rows || picked.empty()) return;
  const std::vector<int> shown = shownColumns(m_table);
  m_bridge.askLong(
      this, kCopyChannel,
      [rows, picked = std::move(picked), shown,
       copied = CopiedRows(format, copiedColumns(m_table.rows().columns(), shown))](
          const engine::Snapshot&, engine::ProgressSink*, const std::stop_token& stop) {
        return textOf(*rows, linesIn(picked), shown, copied, stop);
      },
      [](const engine::Progress&) {},
      [](const engine::Outcome<QString>& text) {
        if (text) QGuiApplication::clipboard()->setText(*text);
      });
}

using engine::ObjectField;

engine::Outcome<std::shared_ptr<const FoundObjectList>> searchObjects(const engine::Snapshot& snapshot,
                                                                      const std::string& text,
                                                                      engine::ObjectSearch search,
                                                                      engine::ProgressSink* progress,
                                                                      std::stop_token stop) {
  auto query = engine::makeQuery(text, engine::objectSchema());
  if (!query) return tl::unexpected(engine::Unfinished(engine::toError(query.error())));
  search.query = std::move(*query);
  if (search.sortBy && !engine::isFieldKnown(snapshot, *search.sortBy))
    search.sortBy = engine::referenceTo(ObjectField::Size);
  HEAPSCAPE_TRY(engine::FoundObjects found, engine::findObjects(snapshot, search, progress, std::move(stop)));
  return std::make_shared<const FoundObjectList>(FoundObjectList{snapshot, std::move(search), std::move(found)});
}

QString searchProgressText(const engine::Progress& progress) {
  const bool isSorting = progress.activity == engine::kSortingObjects;
  return u"%1… %2%"_s.arg(isSorting ? u"Sorting"_s : u"Searching"_s).arg(static_cast<int>(progress.fraction * 100));
}

QString objectTotals(const engine::FoundObjects& found) {
  QStringList parts{countedText(found.objects, u"object"_s), bytesText(found.bytes)};
  if (found.unreadable) {
    parts << u"⚠ "_s + countedText(found.unreadable, u"value unreadable"_s, u"values unreadable"_s);
  }
  return parts.join(u" · "_s);
}

QString objectTotalsTip(const engine::FoundObjects& found) {
  QString tip = objectTotals(found) + QLatin1Char('\n') + exactBytesText(found.bytes);
  if (found.unreadable) tip += QLatin1Char('\n') + u"Values that are damaged or not in the dump fit no comparison."_s;
  return tip;
}

namespace {

constexpr auto kSearchChannel = "objects";
constexpr auto kLineChannel = "line";
constexpr std::uint32_t kFewLines = 10'000;

}  // namespace

ObjectList::ObjectList(EngineBridge& bridge, Navigator& navigator, ObjectListSetup setup, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_setup(std::move(setup)),
      m_columns(allObjectColumns(m_setup.columns, FieldColumns::kept(m_setup.name))),
      m_table(new RowsTable(m_setup.name, m_setup.title, objectSetups(m_columns, m_setup.columns.size()), m_setup.name,
                            this)),
      m_fields(new FieldColumns(bridge, *m_table, m_setup.name)),
      m_state(new StatePanel(this)),
      m_picked(new PickedLine(bridge, navigator, *m_table, this)),
      m_pages(new QStackedLayout) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(m_pages, 1);
  column->addWidget(m_picked);
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_table);
  setFocusProxy(m_table);
  new RowPages(bridge, *m_table);
  connect(m_table, &RowsTable::sortWanted, this, [this](int section, bool descending) {
    setOrder(section, descending);
    Q_EMIT orderChanged();
  });
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
    Q_EMIT pickedChanged();
    if (!m_isFollowing && current.isValid()) m_navigator.select(selectionAt(current.row()));
  });
  connect(m_table, &QAbstractItemView::activated, this,
          [this](const QModelIndex& index) { m_navigator.showObject(selectionAt(index.row()).object); });
  connect(m_table, &QWidget::customContextMenuRequested, this, &ObjectList::openMenu);
  connect(&m_table->rows(), &QAbstractItemModel::rowsInserted, this, &ObjectList::pickAwaited);
  connect(m_fields, &FieldColumns::changed, this, &ObjectList::changeFields);
  connect(&m_table->columns(), &HeaderColumns::shownChanged, this, [this] {
    if (m_list && wantedColumns() != m_described) showRows();
  });
}

// Those that are shown, and that the engine has to be asked for.
ObjectColumns ObjectList::wantedColumns() const {
  ObjectColumns shown;
  for (const int section : shownColumns(*m_table)) shown.push_back(m_columns[static_cast<std::size_t>(section)]);
  return describedColumns(shown);
}

void ObjectList::ask(const std::string& query, engine::ObjectSearch search, bool isOther,
                     std::function<void(const engine::Progress&)> told, std::function<void(Answer)> done) {
  search.sortBy = m_columns[static_cast<std::size_t>(m_setup.sortColumn)];
  search.columns = wantedColumns();
  search.sets = PickedSets::of(m_bridge).sets();
  search.descending = m_setup.descending;
  search.limit = SIZE_MAX;
  search.rows = PagedRows::kPageRows;
  m_bridge.askLong(
      this, kSearchChannel,
      [query, search](const engine::Snapshot& current, engine::ProgressSink* progress, std::stop_token stop) {
        return searchObjects(current, query, search, progress, std::move(stop));
      },
      [this, isOther, told = std::move(told)](const engine::Progress& progress) {
        // In another order they are still the ones that are asked for.
        if (isOther) {
          m_table->setEnabled(false);
        } else {
          setDimmed(m_table->viewport(), true);
        }
        if (told) told(progress);
      },
      [this, done = std::move(done)](Answer answer) {
        setDimmed(m_table->viewport(), false);
        done(std::move(answer));
      });
}

void ObjectList::show(std::shared_ptr<const FoundObjectList> list) {
  releaseLater(std::exchange(m_list, std::move(list)));
  m_isFollowing = true;
  m_lineToPick = -1;
  m_described = wantedColumns();
  m_table->rows().show(objectRows(m_list, m_columns, m_described));
  if (auto first = firstObjectRows(*m_list, m_columns, m_described)) m_table->rows().addPage(0, std::move(first));
  showSorting();
  m_table->setEnabled(true);
  m_isFollowing = false;
}

// Shows the same objects in the same order, with other columns.
void ObjectList::showRows() {
  const QModelIndex current = m_table->currentIndex();
  const int scrolled = m_table->verticalScrollBar()->value();
  m_isFollowing = true;
  m_described = wantedColumns();
  m_table->rows().show(objectRows(m_list, m_columns, m_described), true);  // it stays where it is scrolled to
  showSorting();
  if (current.isValid()) m_table->setCurrentIndex(m_table->rows().index(current.row(), 0));
  m_table->verticalScrollBar()->setValue(scrolled);
  m_isFollowing = false;
}

void ObjectList::showSorting() {
  // Until it is known what they retain, they are in another order.
  const auto sorted = std::ranges::find_if(
      m_columns, [&](const engine::QueryFieldReference& field) { return field == m_list->search.sortBy; });
  m_table->showSorting(sorted == m_columns.end() ? -1 : static_cast<int>(sorted - m_columns.begin()),
                       m_setup.descending);
}

void ObjectList::changeFields() {
  const engine::QueryFieldReference sortedBy = m_columns[static_cast<std::size_t>(m_setup.sortColumn)];
  const QModelIndex current = m_table->currentIndex();
  const int scrolled = m_table->verticalScrollBar()->value();
  m_columns = allObjectColumns(m_setup.columns, m_fields->paths());
  m_isFollowing = true;
  m_described.clear();
  const auto list = std::exchange(m_list, nullptr);  // what is shown meanwhile are no rows of it
  m_table->setColumns(objectSetups(m_columns, m_setup.columns.size()));
  m_list = list;
  if (m_list) showRows();
  m_isFollowing = true;
  if (m_list && current.isValid()) m_table->setCurrentIndex(m_table->rows().index(current.row(), 0));
  m_table->verticalScrollBar()->setValue(scrolled);
  m_isFollowing = false;
  const auto sorted = std::ranges::find(m_columns, sortedBy);
  if (sorted != m_columns.end()) {
    m_setup.sortColumn = static_cast<int>(sorted - m_columns.begin());
  } else {
    setOrder(0, false);
    Q_EMIT orderChanged();
  }
}

void ObjectList::drop() {
  m_bridge.stopAsking(this, kSearchChannel);
  setDimmed(m_table->viewport(), false);
  releaseLater(std::exchange(m_list, nullptr));
  m_isFollowing = true;
  m_table->rows().clear();
  m_isFollowing = false;
  m_table->setEnabled(true);
  m_pages->setCurrentWidget(m_state);
}

void ObjectList::dim() {
  m_bridge.stopAsking(this, kSearchChannel);
  setDimmed(m_table->viewport(), false);
  m_table->setEnabled(false);
}

bool ObjectList::isAnswer() const {
  return m_list && m_table->isEnabled();
}

StatePanel& ObjectList::showState() {
  m_pages->setCurrentWidget(m_state);
  return *m_state;
}

void ObjectList::showTable() {
  m_pages->setCurrentWidget(m_table);
}

void ObjectList::setOrder(int sortColumn, bool descending) {
  m_setup.sortColumn = std::clamp(sortColumn, 0, static_cast<int>(m_columns.size()) - 1);
  m_setup.descending = descending;
}

// Follows an object; the engine finds it among millions.
void ObjectList::follow(engine::Address object) {
  m_bridge.stopAsking(this, kLineChannel);
  const int current = m_table->currentIndex().row();
  if (!object || !m_list) {
    pick(-1);
    return;
  }
  if (isLineOf(*m_list, current, object)) {
    pick(current);
    return;
  }
  if (size() <= kFewLines) {
    pick(lineOf(*m_list, object));
    return;
  }
  pick(-1);
  m_bridge.ask(
      this, kLineChannel,
      [list = m_list, object](const engine::Snapshot&, std::stop_token) { return lineOf(*list, object); },
      [this, asked = m_list.get()](int line) {
        if (asked == m_list.get()) pick(line);
      });
}

void ObjectList::pick(int line) {
  const bool isKnown = line < m_table->rows().rowCount();
  m_lineToPick = isKnown ? -1 : line;
  m_isFollowing = true;
  m_table->pickLine(isKnown ? line : -1);
  m_isFollowing = false;
}

void ObjectList::pickAwaited() {
  if (m_lineToPick < 0 || m_lineToPick >= m_table->rows().rowCount()) return;
  m_isFollowing = true;
  m_table->pickLine(std::exchange(m_lineToPick, -1));
  m_isFollowing = false;
}

Selection ObjectList::picked() const {
  const QModelIndex index = m_table->currentIndex();
  return index.isValid() ? selectionAt(index.row()) : Selection{};
}

// Of a row that has not come yet, what it is is found where the object is looked at.
Selection ObjectList::selectionAt(int line) const {
  const RowLink link = m_table->rows().targetAt(line);
  return {.object = link.object, .methodTable = link.methodTable, .segment = {}};
}

void ObjectList::openMenu(const QPoint& position) {
  const QModelIndex index = m_table->indexAt(position);
  if (!index.isValid() || m_picked->openMenu(index, position)) return;
  const ContextMenu opened(this);
  QMenu& menu = *opened;
  addSelectionLinks(menu, m_navigator, selectionAt(index.row()));
  menu.addActions(m_table->actions());
  menu.exec(m_table->viewport()->mapToGlobal(position));
}

}  // namespace heapscape::gui

#include "object_list.moc"
