// SPDX-License-Identifier: MIT
#include "views/references/graph/start_list.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>

#include "models/cells/name_delegate.h"
#include "models/rows/table_setup.h"
#include "widgets/text/counted_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"
#include "widgets/text/short_type_name.h"

namespace heapscape::gui {

namespace {

enum Column { RetainedColumn, ShareColumn, TypeColumn, AddressColumn, ColumnCount };

QTableWidgetItem* cell(const QString& text, const QString& tip, bool isFigure) {
  auto* item = new QTableWidgetItem(text);
  item->setToolTip(tip);
  if (isFigure) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  return item;
}

}  // namespace

StartList::StartList(QWidget* parent) : QWidget(parent), m_table(new QTableWidget(0, ColumnCount, this)) {
  m_table->setObjectName(QStringLiteral("graphStart"));
  m_table->setAccessibleName(QStringLiteral("Objects that retain most"));
  m_table->setHorizontalHeaderLabels(
      {QStringLiteral("Retained"), QStringLiteral("Share"), QStringLiteral("Object"), QStringLiteral("Address")});
  m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  for (const int figures : {RetainedColumn, ShareColumn})
    m_table->horizontalHeaderItem(figures)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  m_table->setItemDelegate(new NameDelegate(m_table));  // cells begin where their headings do
  m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setShowGrid(false);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(tableRowHeight(*m_table));
  m_table->horizontalHeader()->setSectionResizeMode(TypeColumn, QHeaderView::Stretch);
  m_table->horizontalHeader()->setHighlightSections(false);
  m_table->setTextElideMode(Qt::ElideMiddle);
  const int letter = fontMetrics().averageCharWidth();
  m_table->setColumnWidth(RetainedColumn, letter * 14);
  m_table->setColumnWidth(ShareColumn, letter * 10);
  m_table->setColumnWidth(AddressColumn, letter * 24);
  connect(m_table, &QTableWidget::cellActivated, this, [this](int row) {
    if (static_cast<std::size_t>(row) < m_objects.size()) Q_EMIT objectPicked(m_objects[static_cast<std::size_t>(row)]);
  });
  connect(m_table, &QTableWidget::cellClicked, m_table, &QTableWidget::cellActivated);

  auto* heading = new QLabel(QStringLiteral("Where to begin"), this);
  heading->setFont(scaledFont(font(), 1.25, QFont::DemiBold));
  auto* text = new QLabel(QStringLiteral("Select an object anywhere to see what holds it and what it holds, "
                                         "or begin with one of those that retain most:"),
                          this);
  text->setWordWrap(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(24, 24, 24, 8);
  column->setSpacing(8);
  column->addWidget(heading);
  column->addWidget(text);
  column->addSpacing(8);
  column->addWidget(m_table, 1);
  setFocusProxy(m_table);
}

void StartList::show(const std::vector<engine::Neighbour>& objects, std::uint64_t reachableBytes,
                     const engine::Snapshot& snapshot) {
  clear();
  m_table->setRowCount(static_cast<int>(objects.size()));
  for (const engine::Neighbour& object : objects) {
    const auto row = static_cast<int>(m_objects.size());
    m_objects.push_back(object.object);
    const std::string name = object.type.isNone() ? std::string() : snapshot.types()[object.type.value].name;
    QString title = shortTypeName(name);
    if (object.items) title += QStringLiteral(" · ") + countedText(*object.items, QStringLiteral("item"));
    if (!object.value.empty()) title = name.ends_with(']') ? shortTypeName(object.value) : fromEngine(object.value);
    m_table->setItem(row, RetainedColumn,
                     cell(bytesText(object.retainedBytes), exactBytesText(object.retainedBytes), true));
    m_table->setItem(
        row, ShareColumn,
        cell(percentText(object.retainedBytes, reachableBytes), QStringLiteral("Of all that is held"), true));
    m_table->setItem(row, TypeColumn, cell(title, fromEngine(name), false));
    m_table->setItem(row, AddressColumn, cell(addressText(object.object), {}, false));
    m_table->item(row, AddressColumn)->setFont(fixedFont(font()));
  }
}

void StartList::clear() {
  m_objects.clear();
  m_table->setRowCount(0);
}

}  // namespace heapscape::gui
