// SPDX-License-Identifier: MIT
#include "models/rows/value_cells.h"

#include "models/cells/roles.h"
#include "models/rows/field_columns.h"
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
  switch (role) {
    case Qt::DisplayRole:
      return QStringLiteral("Value");
    case Qt::ToolTipRole:
      return QStringLiteral("What the object holds: the text, the count and first items, the first fields");
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    case kHoldsContentsRole:
      return true;
    case kColumnNameRole:
      return QStringLiteral("value");
    default:
      return {};
  }
}

}  // namespace heapscape::gui
