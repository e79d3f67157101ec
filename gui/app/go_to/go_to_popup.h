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
  /// Under `box`, as wide as its text needs, inside the window.
  void showUnder(const QWidget* box);
  void moveCurrent(int rows);
  /// False if the current line only says something.
  bool runCurrent();

 private:
  std::vector<GoToEntry> m_entries;
};

}  // namespace heapscape::gui
