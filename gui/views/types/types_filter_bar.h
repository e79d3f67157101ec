// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <functional>

#include "bridge/engine_bridge.h"
#include "models/query/saved_views.h"
#include "session/types/type_query.h"

class QLabel;
class QToolButton;

namespace heapscape::gui {

class QueryEdit;
class QueryErrorLine;
class StatePanel;

/// The line above the types: the filter, which is always there, the namespaces' switch, the part of the heap that the
/// list is about, and the totals.
class TypesFilterBar : public QWidget {
  Q_OBJECT

 public:
  explicit TypesFilterBar(EngineBridge& bridge, QWidget* parent = nullptr);

  QString text() const;
  bool isRegularExpression() const;
  bool isTree() const;
  /// Whether the text compares fields rather than being a part of a name.
  bool isQuery() const;

  void setScope(const engine::HeapScope& scope);
  void setTotals(const QString& totals, const QString& tip = {});
  /// A sentence under the filter about what is wrong with it; empty for nothing.
  void showError(const QString& error);
  /// False while there is such a sentence: nothing answers the text then.
  bool isUnderstood() const;
  /// In place of the list.
  void showNotUnderstood(StatePanel& panel);
  void clearFilter();
  /// As of QueryEdit.
  void beginFile();
  bool dropUnlessFound(bool isFound);
  /// How saved views learn of the order, and give it back.
  void setOrder(std::function<SavedView()> order, std::function<void(const SavedView&)> apply);
  void focusFilter();

 Q_SIGNALS:
  /// After a short rest from typing, at once for the switches.
  void changed();
  /// The text cannot be asked, or can be again; after a short rest, too.
  void complaintChanged();
  void scopeRemoved();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void addControls();
  void updateLook();

  QueryEdit* m_filter;
  QToolButton* m_regularExpression;
  QToolButton* m_tree;
  QToolButton* m_scope;
  QLabel* m_totals;
  QueryErrorLine* m_error = nullptr;
};

}  // namespace heapscape::gui
