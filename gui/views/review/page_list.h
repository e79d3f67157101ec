// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QListView;

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

 private:
  void addActions();
  void moveCurrent(int by);
  void openMenu(const QPoint& position);

  ReviewModel* m_model;
  QListView* m_list;
};

}  // namespace heapscape::gui
