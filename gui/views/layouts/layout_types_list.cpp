// SPDX-License-Identifier: MIT
#include "views/layouts/layout_types_list.h"

#include <QHeaderView>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "models/cells/name_delegate.h"
#include "models/cells/share_bar_delegate.h"
#include "models/layout/layout_types_model.h"
#include "models/query/query_edit.h"
#include "models/query/query_error_line.h"
#include "models/rows/table_heading.h"
#include "models/rows/table_setup.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr auto kTypesChannel = "layout types";
constexpr auto kFindChannel = "layout type by name";
constexpr int kAssemblyFromLetters = 72;  // narrower, the column would take the name's room

LayoutTypeOrder orderOf(int section, bool isOfAssembly) {
  switch (section) {
    case LayoutTypesModel::NameColumn:
      return LayoutTypeOrder::Name;
    case LayoutTypesModel::ObjectsColumn:
      return isOfAssembly ? LayoutTypeOrder::Size : LayoutTypeOrder::Objects;
    case LayoutTypesModel::AssemblyColumn:
      return LayoutTypeOrder::Assembly;
    default:
      return LayoutTypeOrder::Padding;
  }
}

int sectionOf(LayoutTypeOrder order) {
  switch (order) {
    case LayoutTypeOrder::Name:
      return LayoutTypesModel::NameColumn;
    case LayoutTypeOrder::Objects:
    case LayoutTypeOrder::Size:
      return LayoutTypesModel::ObjectsColumn;
    case LayoutTypeOrder::Assembly:
      return LayoutTypesModel::AssemblyColumn;
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
      m_filter(new QueryEdit(bridge, QStringLiteral("layoutTypes"), this)),
      m_table(new QTableView(this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout) {
  addParts();
  connect(m_table->horizontalHeader(), &QHeaderView::sectionClicked, this, &LayoutTypesList::sortBy);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
    if (!m_isFollowing && current.isValid()) Q_EMIT picked(selectionAt(current.row()));
  });
}

void LayoutTypesList::addFilter() {
  m_filter->setObjectName(QStringLiteral("layoutTypeFilter"));
  m_filter->setPlaceholderText(tr("Find by name or query"));
  m_filter->setAccessibleName(tr("Find types by name or query"));
  m_filter->setToolTip(
      tr("Part of a name, or a query: padding > 1 KB. Or a full name and Enter, for any type: "
         "System.Collections.Generic.List<System.Int32>"));
  m_filter->setOrder(
      [this] { return SavedView{.sortColumn = sectionOf(m_question.order), .descending = m_question.descending}; },
      [this](const SavedView& view) {
        m_question.order = orderOf(view.sortColumn, m_bridge.isAssembly());
        m_question.descending = view.descending;
      });
  connect(m_filter, &QueryEdit::queryChanged, this, &LayoutTypesList::ask);
  connect(m_filter, &QueryEdit::complaintChanged, this, &LayoutTypesList::showComplaint);
  connect(m_filter, &QLineEdit::returnPressed, this, &LayoutTypesList::findByName);
}

void LayoutTypesList::addParts() {
  addFilter();
  addTable();

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* line = new QVBoxLayout;
  line->setContentsMargins(12, 8, 12, 8);
  line->addWidget(m_filter);
  line->addWidget(new QueryErrorLine(*m_filter, this));
  column->addLayout(line);
  column->addLayout(m_pages, 1);
  m_pages->addWidget(m_table);
  m_pages->addWidget(m_state);
  setFocusProxy(m_filter);
  setMinimumWidth(2 * figureColumnWidth(*this) + fontMetrics().averageCharWidth() * 24);
}

void LayoutTypesList::addTable() {
  m_table->setObjectName(QStringLiteral("layoutTypes"));
  m_table->setAccessibleName(tr("Types"));
  m_table->setModel(m_model);
  setUpTable(m_table, new TableHeading(m_table));
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
  m_table->setItemDelegateForColumn(LayoutTypesModel::NameColumn, new NameDelegate(m_table));
  m_table->setItemDelegateForColumn(LayoutTypesModel::ObjectsColumn,
                                    new ShareBarDelegate(ShareBarDelegate::Bar::Plain, m_table));
  m_table->setItemDelegateForColumn(LayoutTypesModel::PaddingColumn,
                                    new ShareBarDelegate(ShareBarDelegate::Bar::Padding, m_table));
  QHeaderView* heading = m_table->horizontalHeader();
  heading->setSectionResizeMode(LayoutTypesModel::NameColumn, QHeaderView::Stretch);
  heading->resizeSection(LayoutTypesModel::ObjectsColumn, figureColumnWidth(*this));
  heading->resizeSection(LayoutTypesModel::PaddingColumn, figureColumnWidth(*this));
  heading->resizeSection(LayoutTypesModel::AssemblyColumn, fontMetrics().averageCharWidth() * 24);
  heading->setSectionHidden(LayoutTypesModel::AssemblyColumn, true);
  heading->setStretchLastSection(false);
  heading->setSortIndicatorShown(true);
}

void LayoutTypesList::load() {
  m_filter->setSchema(layoutTypeSchema(m_bridge.isAssembly()));
  m_question.all.reset();
  ask();
}

void LayoutTypesList::clear() {
  m_filter->beginFile();
  m_question.all.reset();
  m_followed = {};
  m_isFollowing = true;
  m_model->show({});
  m_isFollowing = false;
  m_pages->setCurrentWidget(m_table);
}

void LayoutTypesList::ask() {
  LayoutTypeQuestion question = m_question;
  question.text = m_filter->text().trimmed().toStdString();
  question.isOfAssembly = m_bridge.isAssembly();
  const auto done = [this](engine::Outcome<LayoutTypeAnswer> answer) { take(std::move(answer)); };
  const auto query = [question](const auto& whose, std::stop_token stop) {
    return askLayoutTypes(whose, question, stop);
  };
  if (question.isOfAssembly) {
    m_bridge.askLaboratory(this, kTypesChannel, query, done);
  } else {
    m_bridge.ask(
        this, kTypesChannel,
        [query](const engine::Snapshot& snapshot, std::stop_token stop) { return query(snapshot, stop); }, done);
  }
}

Selection LayoutTypesList::selectionAt(int row) const {
  const LayoutTypeRow& type = m_model->rowAt(row);
  return {.object = {}, .methodTable = type.type.methodTable, .segment = {}, .layoutType = type.id};
}

// A row of that name is shown already; what is not among them may still be a type, like any List<> one can think of.
void LayoutTypesList::findByName() {
  const std::string name = m_filter->text().trimmed().toStdString();
  if (name.empty() || !m_filter->isPlainText()) return;
  m_bridge.askLaboratory(
      this, kFindChannel,
      [name](const engine::LayoutLaboratory& laboratory, std::stop_token) { return laboratory.find(name); },
      [this](const engine::Result<engine::LaboratoryTypeId>& type) {
        if (type) return Q_EMIT picked({.object = {}, .methodTable = {}, .segment = {}, .layoutType = *type});
        if (m_model->rowCount() > 0) return;
        m_state->showEmpty(tr("No such type"), fromEngine(type.error().message()));
        m_state->setAction(tr("Clear the filter"), [this] { m_filter->clear(); });
      });
}

void LayoutTypesList::take(engine::Outcome<LayoutTypeAnswer> answer) {
  if (!answer) {
    if (answer.error().isCancelled()) return;
    m_state->showFailed(tr("The types cannot be listed"), fromEngine(answer.error().error().message()));
    m_pages->setCurrentWidget(m_state);
    return Q_EMIT noneKnown();
  }
  m_question = answer->question;
  if (!m_question.all->empty() && m_filter->dropUnlessFound(!answer->shown.empty())) return ask();
  m_isFollowing = true;
  m_model->show(std::move(*answer));
  const Qt::SortOrder order = m_question.descending ? Qt::DescendingOrder : Qt::AscendingOrder;
  m_table->horizontalHeader()->setSortIndicator(sectionOf(m_question.order), order);
  m_isFollowing = false;
  m_table->setEnabled(m_filter->complaint().isEmpty());
  showAssemblyColumn();
  const bool isEmpty = m_model->rowCount() == 0;
  if (isEmpty) {
    m_state->showEmpty(tr("No such type"),
                       m_filter->isPlainText()
                           ? tr("None of the types listed has “%1” in its name. Enter looks for a type of that full "
                                "name: a generic one may have any arguments.")
                                 .arg(m_filter->text())
                           : tr("None of the types listed fits the query."));
    m_state->setAction(tr("Clear the filter"), [this] { m_filter->clear(); });
  }
  m_pages->setCurrentWidget(isEmpty ? static_cast<QWidget*>(m_state) : m_table);
  followNow();
  isEmpty ? Q_EMIT noneKnown() : Q_EMIT firstKnown(selectionAt(0));
}

// Types of the last query stay, dimmed.
void LayoutTypesList::showComplaint(const QString& complaint) {
  m_table->setEnabled(complaint.isEmpty() && m_table->isEnabled());
  if (complaint.isEmpty() || m_model->rowCount() > 0 || !m_question.all) return;
  showNotUnderstood(*m_state, *m_filter);
  m_pages->setCurrentWidget(m_state);
}

void LayoutTypesList::sortBy(int section) {
  const LayoutTypeOrder order = orderOf(section, m_model->isOfAssembly());
  m_question.descending = order == m_question.order
                              ? !m_question.descending
                              : order != LayoutTypeOrder::Name && order != LayoutTypeOrder::Assembly;
  m_question.order = order;
  ask();
}

void LayoutTypesList::follow(const Selection& selection) {
  m_followed = selection;
  followNow();
}

void LayoutTypesList::followNow() {
  int row = -1;
  if (m_followed.methodTable)
    row = m_model->rowOf(m_followed.methodTable);
  else if (!m_followed.layoutType.isNone())
    row = m_model->rowOf(m_followed.layoutType);
  m_isFollowing = true;
  if (row < 0) {
    m_table->selectionModel()->clear();
  } else if (m_table->currentIndex().row() != row) {
    m_table->setCurrentIndex(m_model->index(row, 0));
    m_table->scrollTo(m_model->index(row, 0));
  }
  m_isFollowing = false;
}

void LayoutTypesList::showAssemblyColumn() {
  const bool isWide = width() >= kAssemblyFromLetters * fontMetrics().averageCharWidth();
  m_table->horizontalHeader()->setSectionHidden(LayoutTypesModel::AssemblyColumn, !(m_model->isOfAssembly() && isWide));
}

void LayoutTypesList::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  showAssemblyColumn();
}

}  // namespace heapscape::gui
