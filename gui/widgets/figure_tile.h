// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QWidget>

namespace heapscape::gui {

/// One of a page's large figures, with what it means under it.
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

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_label;
  QString m_figure;
  QString m_note;
};

}  // namespace heapscape::gui
