// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "session/dominators/dominators_query.h"

class QLabel;
class QLineEdit;
class QToolButton;

namespace heapscape::gui {

class ChoiceBar;

/// How the page shows the tree.
enum class DominatorForm { Table, Icicle, Sunburst, Treemap };
inline constexpr int kDominatorForms = 4;

/// Above the dominator tree: what to look for, how siblings are put together, and in which form they are shown.
class DominatorToolbar : public QWidget {
  Q_OBJECT

 public:
  explicit DominatorToolbar(QWidget* parent = nullptr);

  engine::DominatorGrouping grouping() const;
  DominatorForm form() const;
  void setForm(DominatorForm form);
  QString searchText() const;
  /// How many the picture has of what is looked for, and whether one can go through them; empty for none.
  void showMatches(const QString& status, bool canStep);
  /// Why nothing was found; empty for none.
  void showNote(const QString& note);
  void clearSearch();

 Q_SIGNALS:
  /// The text looked for has changed, with each letter.
  void searchEdited(const QString& text);
  /// Enter: what is looked for is to be shown.
  void searched(const QString& text);
  /// The next match is wanted, or with -1 the one before.
  void stepWanted(int step);
  void exportWanted();
  void groupingChanged();
  void formChanged();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QWidget* buildSearch();
  QWidget* buildChoices();
  QToolButton* makeTool(const QString& name, const QString& symbol, const QString& tip);
  void updateLook();

  QLineEdit* m_search;
  QToolButton* m_previous = nullptr;
  QToolButton* m_next = nullptr;
  QLabel* m_matches;
  QLabel* m_note;
  ChoiceBar* m_groupings;
  ChoiceBar* m_forms;
  QLabel* m_label;
};

}  // namespace heapscape::gui
