// SPDX-License-Identifier: MIT
#include "views/types/object_list.h"

#include <QMenu>
#include <QStackedLayout>
#include <algorithm>

#include "models/object_menu.h"
#include "models/rows/row_pages.h"
#include "models/rows/rows_table.h"
#include "views/types/object_question.h"
#include "widgets/state_panel.h"

namespace heapscape::gui {
namespace {

constexpr auto kSearchChannel = "objects";

}  // namespace

ObjectList::ObjectList(EngineBridge& bridge, Navigator& navigator, ObjectListSetup setup, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_setup(std::move(setup)),
      m_table(new RowsTable(m_setup.name, m_setup.title, objectColumns(m_setup.columns), m_setup.name, this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout(this)) {
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
}

void ObjectList::ask(const std::string& query, engine::ObjectSearch search, bool isOther,
                     std::function<void(const engine::Progress&)> told, std::function<void(Answer)> done) {
  search.sortBy = engine::referenceTo(m_setup.columns[static_cast<std::size_t>(m_setup.sortColumn)]);
  search.descending = m_setup.descending;
  search.limit = SIZE_MAX;
  search.rows = PagedRows::kPageRows;
  m_bridge.askLong(
      this, kSearchChannel,
      [query, search](const engine::Snapshot& current, engine::ProgressSink* progress, std::stop_token stop) {
        return searchObjects(current, query, search, progress, std::move(stop));
      },
      [this, isOther, told = std::move(told)](const engine::Progress& progress) {
        if (isOther) m_table->setEnabled(false);
        if (told) told(progress);
      },
      std::move(done));
}

void ObjectList::show(std::shared_ptr<const FoundObjectList> list) {
  m_list = std::move(list);
  m_isFollowing = true;
  m_table->rows().show(objectRows(m_list, m_setup.columns));
  if (auto first = firstObjectRows(*m_list, m_setup.columns)) m_table->rows().addPage(0, std::move(first));
  // Until it is known what they retain, they are in another order.
  const auto sorted = std::ranges::find_if(
      m_setup.columns, [&](engine::ObjectField field) { return engine::referenceTo(field) == m_list->search.sortBy; });
  m_table->showSorting(static_cast<int>(sorted - m_setup.columns.begin()), m_setup.descending);
  m_table->setEnabled(true);
  m_isFollowing = false;
}

void ObjectList::drop() {
  m_bridge.stopAsking(this, kSearchChannel);
  m_list.reset();
  m_isFollowing = true;
  m_table->rows().clear();
  m_isFollowing = false;
  m_table->setEnabled(true);
  m_pages->setCurrentWidget(m_state);
}

void ObjectList::dim() {
  m_bridge.stopAsking(this, kSearchChannel);
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
  m_setup.sortColumn = std::clamp(sortColumn, 0, static_cast<int>(m_setup.columns.size()) - 1);
  m_setup.descending = descending;
}

void ObjectList::follow(engine::Address object) {
  m_isFollowing = true;
  m_table->pickLine(object && m_list ? lineOf(*m_list, object) : -1);
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
  if (!index.isValid()) return;
  QMenu menu(this);
  addSelectionLinks(menu, m_navigator, selectionAt(index.row()));
  menu.addActions(m_table->actions());
  menu.exec(m_table->viewport()->mapToGlobal(position));
}

}  // namespace heapscape::gui
