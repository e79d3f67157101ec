// SPDX-License-Identifier: MIT
#pragma once

#include <QMenu>
#include <QPointer>

class QWidget;

namespace heapscape::gui {

/// A menu that is waited for. Whoever it belongs to may be gone before it closes, as when a window is closed meanwhile,
/// and the menu with it: exec() returns then, and nothing of the owner may be touched any more.
class ContextMenu {
 public:
  explicit ContextMenu(QWidget* owner) : m_menu(new QMenu(owner)) {}
  ~ContextMenu() { delete m_menu; }
  ContextMenu(const ContextMenu&) = delete;
  ContextMenu& operator=(const ContextMenu&) = delete;

  QMenu& operator*() const { return *m_menu; }

 private:
  const QPointer<QMenu> m_menu;
};

/// Offers a widget's actions where somebody asks for its menu. Other than Qt's own (Qt::ActionsContextMenu), the menu
/// may stay open longer than the widget: an answer of the engine may put another one in its place at any time.
void offerActions(QWidget* widget);

}  // namespace heapscape::gui
