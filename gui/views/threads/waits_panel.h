// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "views/threads/waits.h"

class QScrollArea;
class QStackedLayout;

namespace heapscape::gui {

class StatePanel;
class WaitsPicture;

/// The picture of who waits for whom, as large as it has to be, or why there is none.
class WaitsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit WaitsPanel(QWidget* parent = nullptr);

  void show(Waits waits);
  /// Something is still to come, and nobody waits for a monitor.
  void showWaiting(const QString& text);
  void clear();
  WaitsPicture* picture() const { return m_picture; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  WaitsPicture* m_picture;
  QScrollArea* m_scroll;
  StatePanel* m_state;
  QStackedLayout* m_pages;
};

}  // namespace heapscape::gui
