// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "app/manual/manual_index.h"

class QLabel;
class QLineEdit;
class QSplitter;
class QTreeWidget;

namespace heapscape::gui {

class ManualBrowser;
class PassageDelegate;

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
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* buildBar();
  void showContents();
  void search();
  void showCurrent();
  void move(int lines);
  void pickChapter();
  int widthOfContents() const;

  ManualIndex m_index;
  ManualBrowser* m_text;
  QTreeWidget* m_contents;
  QLineEdit* m_search;
  PassageDelegate* m_passages;  // of the contents
  QSplitter* m_split;
  QLabel* m_count;
  bool m_isSharedByUser = false;  // the room of the splitter
};

}  // namespace heapscape::gui
