// SPDX-License-Identifier: MIT
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include "bridge/navigator.h"

class QToolButton;

namespace heapscape::gui {

class Inspector;

/// The drawer that holds the inspector beside a place: there only while it has something to tell, and then no more of
/// the window than that takes.
class InspectorDrawer : public QWidget {
  Q_OBJECT

 public:
  explicit InspectorDrawer(Inspector* inspector, QWidget* parent = nullptr);

  /// Whether it may come at all.
  void setWanted(bool isWanted);
  /// It comes if something is picked there, unless the place tells it all by itself.
  void follow(const Location& location, bool hasHeap);
  /// A mouse button went down: what opens a drawer now must not move under a second click.
  void notePress();

  QSize sizeHint() const override;

 Q_SIGNALS:
  /// The person wants it gone.
  void closeWanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showIfAny();

  Inspector* m_inspector;
  QToolButton* m_close;
  QTimer m_opening;
  QElapsedTimer m_pressed;
  bool m_isWanted = true;
  bool m_hasToTell = false;
};

}  // namespace heapscape::gui
