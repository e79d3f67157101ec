// SPDX-License-Identifier: MIT
#pragma once

#include <QListWidget>
#include <vector>

#include "app/go_to/go_to_entry.h"

namespace heapscape::gui {

/// The lines under the go-to box. Never takes the focus: the box passes the keys on.
class GoToPopup : public QListWidget {
  Q_OBJECT

 public:
  /// Lies over `window`, which owns it.
  explicit GoToPopup(QWidget* window);

  void setEntries(std::vector<GoToEntry> entries);
  const std::vector<GoToEntry>& entries() const { return m_entries; }
  /// Beside `box`, as wide as it or as its text needs, inside the window.
  void showUnder(const QWidget* box);
  void moveCurrent(int rows);
  /// Whether the current line leads anywhere rather than only says something.
  bool canRunCurrent() const;
  void runCurrent();

 Q_SIGNALS:
  /// A line was clicked.
  void picked();

 private:
  std::vector<GoToEntry> m_entries;
};

}  // namespace heapscape::gui
