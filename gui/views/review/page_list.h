// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QLabel;
class QListView;
class QPoint;
class QTimer;

namespace heapscape::gui {

class ReviewModel;

/// The pages of a review in their order, and what can be done with them.
class PageList : public QWidget {
  Q_OBJECT

 public:
  explicit PageList(ReviewModel* model, QWidget* parent = nullptr);

  int currentPage() const;  // -1 for none
  void setCurrentPage(int row);

 Q_SIGNALS:
  void pagePicked(int row);
  void noteWanted();
  void markdownWanted(int row);

 private:
  void addActions();
  QWidget* buildUndo();
  void moveCurrent(int by);
  void removeCurrent();
  void restore();
  void openMenu(const QPoint& position);

  ReviewModel* m_model;
  QListView* m_list;
  QWidget* m_undo;  // says which page was deleted, for a while
  QLabel* m_removed;
  QTimer* m_undoing;
};

}  // namespace heapscape::gui
