// SPDX-License-Identifier: MIT
#include "views/layouts/layout_types_list.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QStackedLayout>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "models/layout_types_model.h"
#include "models/name_delegate.h"
#include "models/share_bar_delegate.h"
#include "models/table_heading.h"
#include "models/table_setup.h"
#include "widgets/figures.h"
#include "widgets/state_panel.h"
#include "widgets/symbol_icon.h"

namespace heapscape::gui {
namespace {

constexpr int kRestMs = 150;

LayoutTypeOrder orderOf(int section) {
  switch (section) {
    case LayoutTypesModel::NameColumn:
      return LayoutTypeOrder::Name;
    case LayoutTypesModel::ObjectsColumn:
      return LayoutTypeOrder::Objects;
    default:
      return LayoutTypeOrder::Padding;
  }
}

int sectionOf(LayoutTypeOrder order) {
  switch (order) {
    case LayoutTypeOrder::Name:
      return LayoutTypesModel::NameColumn;
    case LayoutTypeOrder::Objects:
      return LayoutTypesModel::ObjectsColumn;
    case LayoutTypeOrder::Padding:
      break;
  }
  return LayoutTypesModel::PaddingColumn;
}

}  // namespace

LayoutTypesList::LayoutTypesList(EngineBridge& bridge, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_model(new LayoutTypesModel(this)),
      m_filter(new QLineEdit(this)),
      m_table(new QTableView(this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout),
      m_rest(new QTimer(this)) {
  addParts();
  m_rest->setSingleShot(true);
  m_rest->setInterval(kRestMs);
  connect(m_filter, &QLineEdit::textChanged, m_rest, qOverload<>(&QTimer::start));
  connect(m_rest, &QTimer::timeout, this, &LayoutTypesList::ask);
  connect(m_table->horizontalHeader(), &QHeaderView::sectionClicked, this, &LayoutTypesList::sortBy);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
    if (!m_isFollowing && current.isValid()) Q_EMIT picked(m_model->rowAt(current.row()).type.methodTable);
  });
}

void LayoutTypesList::addParts() {
  m_filter->setObjectName(QStringLiteral("layoutTypeFilter"));
  m_filter->setPlaceholderText(tr("Find a type"));
  m_filter->setAccessibleName(tr("Find a loaded type by name"));
  m_filter->setClearButtonEnabled(true);
  m_filter->setMinimumHeight(std::max(28, fontMetrics().height() * 8 / 5));
  m_filter->addAction(symbolIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);

  m_table->setObjectName(QStringLiteral("layoutTypes"));
  m_table->setAccessibleName(tr("Loaded types"));
  m_table->setModel(m_model);
  setUpTable(m_table, new TableHeading(m_table));
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
  m_table->setItemDelegateForColumn(LayoutTypesModel::NameColumn, new NameDelegate(m_table));
  m_table->setItemDelegateForColumn(LayoutTypesModel::ObjectsColumn,
                                    new ShareBarDelegate(ShareBarDelegate::Bar::Plain, m_table));
  m_table->setItemDelegateForColumn(LayoutTypesModel::PaddingColumn,
                                    new ShareBarDelegate(ShareBarDelegate::Bar::Padding, m_table));
  const int letter = fontMetrics().averageCharWidth();
  QHeaderView* heading = m_table->horizontalHeader();
  heading->setSectionResizeMode(LayoutTypesModel::NameColumn, QHeaderView::Stretch);
  heading->resizeSection(LayoutTypesModel::ObjectsColumn, figureColumnWidth(*this));
  heading->resizeSection(LayoutTypesModel::PaddingColumn, figureColumnWidth(*this));
  heading->setStretchLastSection(false);
  heading->setSortIndicatorShown(true);

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* line = new QVBoxLayout;
  line->setContentsMargins(12, 8, 12, 8);
  line->addWidget(m_filter);
  column->addLayout(line);
  column->addLayout(m_pages, 1);
  m_pages->addWidget(m_table);
  m_pages->addWidget(m_state);
  setFocusProxy(m_filter);
  setMinimumWidth(2 * figureColumnWidth(*this) + letter * 24);
}

void LayoutTypesList::load() {
  m_question.all.reset();
  ask();
}

void LayoutTypesList::clear() {
  m_question.all.reset();
  m_followed = {};
  m_isFollowing = true;
  m_model->show({});
  m_isFollowing = false;
  m_pages->setCurrentWidget(m_table);
}

void LayoutTypesList::ask() {
  LayoutTypeQuestion question = m_question;
  question.text = m_filter->text().toStdString();
  m_bridge.ask(
      this, "layout types",
      [question](const engine::Snapshot& snapshot, std::stop_token stop) {
        return askLayoutTypes(snapshot, question, stop);
      },
      [this](engine::Outcome<LayoutTypeAnswer> answer) { take(std::move(answer)); });
}

void LayoutTypesList::take(engine::Outcome<LayoutTypeAnswer> answer) {
  if (!answer) {
    if (answer.error().isCancelled()) return;
    m_state->showFailed(tr("The types cannot be listed"), fromEngine(answer.error().error().message()));
    m_pages->setCurrentWidget(m_state);
    return;
  }
  m_question = answer->question;
  m_isFollowing = true;
  m_model->show(std::move(*answer));
  const Qt::SortOrder order = m_question.descending ? Qt::DescendingOrder : Qt::AscendingOrder;
  m_table->horizontalHeader()->setSortIndicator(sectionOf(m_question.order), order);
  m_isFollowing = false;
  const bool isEmpty = m_model->rowCount() == 0;
  if (isEmpty) {
    m_state->showEmpty(tr("No such type"), tr("No loaded type has “%1” in its name.").arg(m_filter->text()));
    m_state->setAction(tr("Clear the filter"), [this] { m_filter->clear(); });
  }
  m_pages->setCurrentWidget(isEmpty ? static_cast<QWidget*>(m_state) : m_table);
  followNow();
  if (!isEmpty && m_question.text.empty()) Q_EMIT firstKnown(m_model->rowAt(0).type.methodTable);
}

void LayoutTypesList::sortBy(int section) {
  const LayoutTypeOrder order = orderOf(section);
  m_question.descending = order == m_question.order ? !m_question.descending : order != LayoutTypeOrder::Name;
  m_question.order = order;
  ask();
}

void LayoutTypesList::follow(engine::Address methodTable) {
  m_followed = methodTable;
  followNow();
}

void LayoutTypesList::followNow() {
  const int row = m_followed ? m_model->rowOf(m_followed) : -1;
  m_isFollowing = true;
  if (row < 0) {
    m_table->selectionModel()->clear();
  } else if (m_table->currentIndex().row() != row) {
    m_table->setCurrentIndex(m_model->index(row, 0));
    m_table->scrollTo(m_model->index(row, 0));
  }
  m_isFollowing = false;
}

}  // namespace heapscape::gui
