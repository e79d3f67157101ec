// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "app/manual/manual_index.h"

class QLabel;
class QLineEdit;
class QTreeWidget;

namespace heapscape::gui {

class ManualBrowser;

/// The manual in a window of its own: its chapters, a line to search all of them, and the page.
class ManualWindow : public QWidget {
  Q_OBJECT

 public:
  /// Belongs to `window`, beside which it stays open.
  explicit ManualWindow(QWidget* window);

  /// Shows a page: "places.md", or "places.md#types".
  void open(const QString& link);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QWidget* buildBar();
  void showContents();
  void search();
  void showCurrent();
  void move(int lines);
  void pickChapter();

  ManualIndex m_index;
  ManualBrowser* m_text;
  QTreeWidget* m_contents;
  QLineEdit* m_search;
  QLabel* m_count;
};

}  // namespace heapscape::gui
