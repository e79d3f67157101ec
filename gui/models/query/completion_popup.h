// SPDX-License-Identifier: MIT
#pragma once

#include <QListWidget>

#include "query/completion.h"

namespace heapscape::gui {

/// Completions at the cursor of a query, below its line. Never takes the focus: the line passes the keys on.
class CompletionPopup : public QListWidget {
  Q_OBJECT

 public:
  /// Lies over `window`, which owns it.
  explicit CompletionPopup(QWidget* window);

  /// `error`: a sentence about what is wrong so far, in the first line; empty for nothing.
  void setItems(const engine::Completions& completions, const QString& error);
  const engine::Completions& completions() const { return m_completions; }
  /// Hides if there is nothing to show.
  void showUnder(const QWidget* line);
  void moveCurrent(int rows);
  /// The one that is picked; the first if none is and `orFirst`; null if there is none.
  const engine::Completion* current(bool orFirst) const;

 Q_SIGNALS:
  void picked(const heapscape::engine::Completion& completion);

 private:
  int firstItem() const { return m_hasError ? 1 : 0; }

  engine::Completions m_completions;
  bool m_hasError = false;
};

}  // namespace heapscape::gui
