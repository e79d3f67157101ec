// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QWidget>

namespace heapscape::gui {

/// One of a page's large figures, with what it means under it, over as many lines as that needs.
class FigureTile : public QWidget {
  Q_OBJECT

 public:
  explicit FigureTile(const QString& label, QWidget* parent = nullptr);

  void setFigure(const QString& figure, const QString& note, const QString& detail = QString());
  /// Not known yet.
  void clear();

  QString figure() const { return m_figure; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }
  int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  /// Height without the lines of what it means.
  int heightAboveNote() const;

  QString m_label;
  QString m_figure;
  QString m_note;
  // Height of the note at the width that was asked for last: layouts ask over and over.
  struct NoteHeight {
    int width = -1;
    int height = 0;
  };
  mutable NoteHeight m_noteHeight;
};

}  // namespace heapscape::gui
