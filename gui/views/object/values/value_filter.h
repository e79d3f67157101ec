// SPDX-License-Identifier: MIT
#pragma once

#include <QSortFilterProxyModel>

namespace heapscape::gui {

/// Keeps the lines whose name or value holds a text, with all around and below them. Only what the tree has loaded is
/// looked at, a hundred lines at a step.
class ValueFilter : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit ValueFilter(QObject* parent = nullptr);

  void setText(const QString& text);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  QString m_text;
};

}  // namespace heapscape::gui
