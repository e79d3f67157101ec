// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "session/threads/crash_query.h"

class QVBoxLayout;

namespace heapscape::gui {

/// Why the process died: the first thing on the page of a dump of its end, hidden for one that lived.
class DeathNotice : public QWidget {
  Q_OBJECT

 public:
  DeathNotice(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  /// Asks once for each dump; nothing of the heap is needed.
  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void show(const engine::Crash& crash);
  void addText(const QString& text);
  void addException(const engine::ExceptionDetails& exception);
  void addFrames(const engine::Crash& crash);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  QWidget* m_body = nullptr;
  QVBoxLayout* m_lines = nullptr;
  bool m_isAsked = false;
};

}  // namespace heapscape::gui
