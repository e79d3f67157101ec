// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "session/dominators/dominators_query.h"

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QToolButton;

namespace heapscape::gui {

class ChoiceBar;

/// How the page shows the tree.
enum class DominatorForm { Table, Icicle, Sunburst };

/// Above the dominator tree: what to look for, how siblings are put together, and in which form they are shown.
class DominatorToolbar : public QWidget {
  Q_OBJECT

 public:
  explicit DominatorToolbar(QWidget* parent = nullptr);

  engine::DominatorGrouping grouping() const;
  DominatorForm form() const;
  void setForm(DominatorForm form);
  /// Why nothing was found; empty for none.
  void showNote(const QString& note);
  void clearSearch();

 Q_SIGNALS:
  void searched(const QString& text);
  void groupingChanged();
  void formChanged();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void addSearch(QHBoxLayout* line);
  void updateLook();

  QLineEdit* m_search;
  QLabel* m_note;
  ChoiceBar* m_groupings;
  ChoiceBar* m_forms;
  QLabel* m_label;
};

}  // namespace heapscape::gui
