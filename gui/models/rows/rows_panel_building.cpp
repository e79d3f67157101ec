// SPDX-License-Identifier: MIT
// The parts of a RowsPanel, and what happens when one of them is used.
#include <QLabel>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedLayout>
#include <algorithm>

#include "models/query/query_edit.h"
#include "models/query/query_error_line.h"
#include "models/retained_offer.h"
#include "models/rows/kind_chips.h"
#include "models/rows/picked/picked_line.h"
#include "models/rows/row_groups.h"
#include "models/rows/row_objects.h"
#include "models/rows/rows_panel.h"
#include "models/rows/rows_table.h"
#include "widgets/arranging/layouts.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"

namespace heapscape::gui {

namespace {

constexpr int kNarrowestFilter = 28, kWidestFilter = 60;  // letters

}  // namespace

void RowsPanel::buildLine() {
  m_filter->setObjectName(m_setup.name + QStringLiteral("Filter"));
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
    ask();
  });
  m_count->setObjectName(m_setup.name + QStringLiteral("Count"));
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
  });
  connect(m_table, &QAbstractItemView::activated, this, &RowsPanel::activate);
  connect(m_table, &QWidget::customContextMenuRequested, this, &RowsPanel::openMenu);
}

void RowsPanel::connectObjects() {
  m_objects = new RowObjects(m_bridge, *m_table, m_setup.name, m_setup.columns);
  connect(m_objects, &RowObjects::progressed, this, [this](const engine::Progress& progress) {
    m_count->setText(QStringLiteral("Reading the objects… %1%").arg(static_cast<int>(progress.fraction * 100)));
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

}  // namespace heapscape::gui
