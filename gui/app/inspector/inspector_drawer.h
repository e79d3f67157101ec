// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "bridge/navigator.h"

class QToolButton;

namespace heapscape::gui {

class Inspector;

/// The drawer that holds the inspector beside a place. It is there before anything is picked, so that no place moves
/// under the pointer when something is.
class InspectorDrawer : public QWidget {
  Q_OBJECT

 public:
  explicit InspectorDrawer(Inspector* inspector, QWidget* parent = nullptr);

  /// Whether it may come at all.
  void setWanted(bool isWanted);
  /// It is beside all places that are about a heap, but for one that tells all of what is picked by itself.
  void follow(const Location& location, bool hasHeap);

  QSize sizeHint() const override;

 Q_SIGNALS:
  /// The person wants it gone.
  void closeWanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showIfWanted() { setVisible(m_isWanted && m_hasRoom); }

  Inspector* m_inspector;
  QToolButton* m_close;
  bool m_isWanted = true;
  bool m_hasRoom = false;
};

}  // namespace heapscape::gui
