// SPDX-License-Identifier: MIT
#include "views/object/values/value_filter.h"

#include "views/object/values/value_tree_model.h"

namespace heapscape::gui {

ValueFilter::ValueFilter(QObject* parent) : QSortFilterProxyModel(parent) {
  setRecursiveFilteringEnabled(true);
  setAutoAcceptChildRows(true);
}

void ValueFilter::setText(const QString& text) {
  m_text = text.trimmed();
  invalidateFilter();
}

bool ValueFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  if (m_text.isEmpty()) return true;
  const auto holds = [&](int column) {
    return sourceModel()->index(row, column, parent).data().toString().contains(m_text, Qt::CaseInsensitive);
  };
  return holds(ValueTreeModel::NameColumn) || holds(ValueTreeModel::ValueColumn);
}

}  // namespace heapscape::gui
