// SPDX-License-Identifier: MIT
#include "models/rows/value_cells.h"

#include "models/cells/roles.h"
#include "models/rows/field_columns.h"
#include "models/rows/row_list.h"
#include "tables/table.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

QVariant ValueCells::data(engine::Address object, int role) const {
  if (role == kCutAtEndRole) return true;
  const auto found = m_values.find(object.value);
  if (!object || found == m_values.end()) return {};
  if (role == Qt::DisplayRole || role == Qt::ToolTipRole || role == kPlainRole) {
    const QString words = fieldWords(found->second);
    return words.isEmpty() ? QVariant() : contentsText(words);
  }
  return fieldAlignment(found->second, role);
}

QVariant ValueCells::headerData(int role) {
  static const ColumnSetup setup =
      described({.field = "value"}, {.noun = "objects", .columns = {engine::objectValueColumn()}});
  switch (role) {
    case Qt::DisplayRole:
      return setup.title;
    case Qt::ToolTipRole:
      return setup.tip;
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    case kHoldsContentsRole:
      return setup.mayHoldContents();
    case kColumnNameRole:
      return fromEngine(setup.field);
    default:
      return {};
  }
}

}  // namespace heapscape::gui
