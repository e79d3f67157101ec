// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>
#include <QLabel>
#include <QString>
#include <QWidget>
#include <string_view>

class QColor;
class QPainter;
class QRect;

namespace heapscape::gui {

/// A type's name without namespaces, its arguments' too: "Dictionary<String, Order>+Entry[]".
QString shortTypeName(std::string_view fullName);

/// A copy of the text that a label can break behind dots, commas and brackets unless they are part of a figure, between
/// the words of a long name, and anywhere in what has none of these for long: a word that is longer than its line would
/// be cut in the middle of a letter.
QString breakableText(const QString& text);

/// A type's name over as many lines as it needs, broken behind dots, commas and brackets; one that is far too long is
/// shortened in the middle. The tooltip and Copy have all of it.
class WrappedName : public QLabel {
  Q_OBJECT

 public:
  explicit WrappedName(QWidget* parent = nullptr);

  void setText(const QString& name);

 private:
  QString m_name;
};

/// A text whose first part may be cut: what is left of that, and the rest.
struct ElidedName {
  QString prefix;
  QString rest;
};

/// Cut to fit: the prefix gives way first, in its middle. Of a type's name, whose prefix is its namespace, `shorter` is
/// the name without any: then the namespaces of its arguments give way, then the arguments, its own name last. Any
/// other text is cut in its middle.
ElidedName elideName(const QString& name, int prefixLength, int width, const QFont& font, const QString& shorter = {});

/// Draws it from the left of an area on, each part in its colour. How much of the width it takes.
int drawName(QPainter& painter, const QRect& area, const QFont& font, const ElidedName& name, const QColor& prefix,
             const QColor& rest);

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
  /// Paints it in the colour of warnings.
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

/// One line with a type's full name, its namespace dimmed; cut to fit, whole in its tooltip.
class ElidedLabel : public QWidget {
  Q_OBJECT

 public:
  explicit ElidedLabel(QWidget* parent = nullptr);

  void setName(const QString& name, int dimmedPrefix);
  QString name() const { return m_name; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_name;
  QString m_shortName;
  int m_dimmedPrefix = 0;
};

}  // namespace heapscape::gui
