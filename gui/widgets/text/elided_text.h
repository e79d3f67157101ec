// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QWidget>

namespace heapscape::gui {

/// One line of text that is shortened in the middle where room is short: the tooltip then has all of it, and so has
/// Copy in the context menu. If it wraps it takes the lines it needs instead.
class ElidedText : public QWidget {
  Q_OBJECT

 public:
  explicit ElidedText(QWidget* parent = nullptr);
  explicit ElidedText(const QString& text, QWidget* parent = nullptr);

  QString text() const { return m_text; }
  void setText(const QString& text);
  /// Shown in place of the whole text; for exact figures.
  void setDetail(const QString& detail);
  void setElideMode(Qt::TextElideMode mode);
  void setWraps();
  void setAlignment(Qt::Alignment alignment);
  /// Dimmed: says what something is, while the rest says how much.
  void setDimmed(bool isDimmed);
  /// In the colour of warnings.
  void setWarning(bool isWarning);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  int heightForWidth(int width) const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_text;
  QString m_detail;
  Qt::TextElideMode m_mode = Qt::ElideMiddle;
  Qt::Alignment m_alignment = Qt::AlignLeft;
  bool m_wraps = false;
  bool m_isDimmed = false;
  bool m_isWarning = false;
};

}  // namespace heapscape::gui
