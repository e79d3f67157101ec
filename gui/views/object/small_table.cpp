// SPDX-License-Identifier: MIT
#include "views/object/small_table.h"

#include "models/cells/name_delegate.h"
#include "models/cells/roles.h"
#include "models/rows/table_heading.h"
#include "models/rows/table_setup.h"
#include "widgets/context_menu.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

QTableWidget* makeSmallTable(const QString& name, const QString& spokenName, const QStringList& headings,
                             const std::vector<int>& widthsInLetters, QWidget* parent) {
  auto* table = new QTableWidget(0, static_cast<int>(headings.size()), parent);
  table->setObjectName(name);
  table->setAccessibleName(spokenName);
  setUpTable(table, new TableHeading(table));
  table->setHorizontalHeaderLabels(headings);
  table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table->horizontalHeader()->setSectionsClickable(false);
  table->setItemDelegate(new NameDelegate(table));
  offerActions(table);
  const int letter = table->fontMetrics().averageCharWidth();
  for (std::size_t column = 0; column < widthsInLetters.size(); ++column) {
    table->setColumnWidth(static_cast<int>(column), widthsInLetters[column] * letter);
    QTableWidgetItem* heading = table->horizontalHeaderItem(static_cast<int>(column));
    heading->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    heading->setData(kHoldsContentsRole, false);
  }
  return table;
}

void setCell(QTableWidget* table, int row, int column, const QString& text, bool isFixed) {
  auto* cell = new QTableWidgetItem(text);
  cell->setToolTip(text);
  cell->setFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled);
  if (isFixed) cell->setFont(fixedFont(table->font()));
  table->setItem(row, column, cell);
}

}  // namespace heapscape::gui
