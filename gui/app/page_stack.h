// SPDX-License-Identifier: MIT
#pragma once

#include <QStackedWidget>
#include <map>

class QScrollArea;

namespace heapscape::gui {

/// Pages of which one is shown. A page that needs more room than there is can be scrolled, so that none keeps the
/// window from being made small.
class PageStack : public QStackedWidget {
  Q_OBJECT

 public:
  using QStackedWidget::QStackedWidget;

  void addPage(QWidget* page);
  void showPage(QWidget* page);
  QWidget* page() const;

 private:
  std::map<QWidget*, QScrollArea*> m_frames;
};

}  // namespace heapscape::gui
