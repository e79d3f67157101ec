// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "review/board.h"

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QScrollArea;
class QStackedLayout;
class QTableView;

namespace heapscape::gui {

class PicturePreview;
class ReviewTableModel;

/// One page of a review: its title and note to be written, and what was pinned.
class PageEditor : public QWidget {
  Q_OBJECT

 public:
  explicit PageEditor(QWidget* parent = nullptr);

  void show(const engine::ReviewPage& page);
  /// Refreshes only title and note of the page that is shown already.
  void showWords(const engine::ReviewPage& page);
  void beginWriting();

 Q_SIGNALS:
  void titleWritten(const QString& title);
  void noteWritten(const QString& note);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fitColumns();
  void showContent(const engine::ReviewPage& page);

  bool m_isShowing = false;
  QLineEdit* m_title;
  QLabel* m_source;
  QLabel* m_remark;
  QPlainTextEdit* m_note;
  QStackedLayout* m_pages;
  QWidget* m_nothing;
  QTableView* m_table;
  ReviewTableModel* m_rows;
  QScrollArea* m_scroll;
  PicturePreview* m_picture;
};

}  // namespace heapscape::gui
