// SPDX-License-Identifier: MIT
#pragma once

#include <QLabel>

namespace heapscape::gui {

class QueryEdit;
class StatePanel;

/// Under the line of a query: what is wrong with it, in words. Hidden as long as nothing is.
class QueryErrorLine : public QLabel {
  Q_OBJECT

 public:
  /// Named after the query's line.
  explicit QueryErrorLine(QueryEdit& edit, QWidget* parent = nullptr);

  /// Shows what somebody else finds wrong with the text; empty for nothing. The line's own complaint comes first.
  void say(const QString& complaint);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void display(const QString& complaint);
  void updateLook();

  const QueryEdit& m_edit;
};

/// In place of a list that has no rows to dim while its query cannot be understood.
void showNotUnderstood(StatePanel& panel, QueryEdit& edit);

}  // namespace heapscape::gui
