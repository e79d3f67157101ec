// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <optional>

#include "session/snapshot/snapshot.h"

class QAction;
class QHBoxLayout;

namespace heapscape::gui {

class ElidedText;

/// Back, forward, the go-to box, and which dump this is.
class TopBar : public QWidget {
  Q_OBJECT

 public:
  TopBar(QAction* back, QAction* forward, QWidget* goToBox, QAction* inspector, QWidget* parent = nullptr);

  void showOpening(const QString& path);
  void showDump(const engine::Summary& summary);
  void showAssembly(const QString& path, const QString& line);
  void showNothing();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void addButton(QAction* action);

  QHBoxLayout* m_layout;
  ElidedText* m_dump;
};

/// "zoo.core · .NET 10.0.12 · workstation".
QString dumpLine(const engine::Summary& summary);

}  // namespace heapscape::gui
