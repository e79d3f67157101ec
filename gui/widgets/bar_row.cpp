// SPDX-License-Identifier: MIT
#include "widgets/bar_row.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr int kRowMargin = 8;
constexpr int kBarWidth = 64;
constexpr int kActionBarLetters = 10;
constexpr double kActionBarThickness = 0.6;  // of a line of text
constexpr double kLeastBar = 3;
constexpr int kFewestLetters = 12;
constexpr int kFewestActionLetters = 18;
constexpr int kMostActionLines = 3;

double thicknessOfBar(RowForm form) {
  if (form == RowForm::Chip) return 3;
  return form == RowForm::Owner ? 4 : 6;
}

}  // namespace

BarRow::BarRow(BarLine line, QWidget* parent) : PaintedButton(parent), m_line(std::move(line)) {
  setText(m_line.text);
  setToolTip(m_line.tip);
  setAccessibleName(m_line.spoken.isEmpty() ? m_line.text : m_line.spoken);
  setAccessibleDescription(m_line.detail);
  if (m_line.form == RowForm::Chip) {
    setCheckable(true);
    setFocusPolicy(Qt::TabFocus);
    return;
  }
  const bool isAction = m_line.form == RowForm::Action;
  QSizePolicy policy(QSizePolicy::Expanding, isAction ? QSizePolicy::Minimum : QSizePolicy::Fixed);
  policy.setHeightForWidth(isAction);
  setSizePolicy(policy);
  setLeadsSomewhere(m_line.leads);
}

QFont BarRow::figureFont() const {
  QFont font = this->font();
  if (m_line.form == RowForm::Action) font.setWeight(QFont::DemiBold);
  return font;
}

int BarRow::figureWidth(const RowFigure& figure) const {
  const QFontMetrics metrics(figureFont());
  return metrics.horizontalAdvance(figure.room.isEmpty() ? figure.text : figure.room);
}

const BarRow::Widths& BarRow::widths() const {
  if (!m_widths) {
    const QFontMetrics metrics = fontMetrics();
    m_widths.emplace();
    m_widths->text = metrics.horizontalAdvance(m_line.textRoom.isEmpty() ? text() : m_line.textRoom);
    for (const RowFigure& figure : m_line.figures) m_widths->figures += figureWidth(figure);
    m_widths->bar = m_line.form == RowForm::Action ? metrics.averageCharWidth() * kActionBarLetters : kBarWidth;
    m_widths->detail = metrics.horizontalAdvance(m_line.detail);
  }
  return *m_widths;
}

void BarRow::changeEvent(QEvent* event) {
  m_widths.reset();
  PaintedButton::changeEvent(event);
}

bool BarRow::event(QEvent* event) {
  const QEvent::Type type = event->type();
  const bool isTaken = PaintedButton::event(event);
  if (type == QEvent::Enter || type == QEvent::FocusIn) Q_EMIT hovered(true);
  if (type == QEvent::Leave || type == QEvent::FocusOut) Q_EMIT hovered(false);
  return isTaken;
}

int BarRow::gap() const {
  if (m_line.form == RowForm::Chip) return 6;
  return m_line.form == RowForm::Sample ? 2 * kRowMargin : kRowMargin;
}

int BarRow::sampleSide() const {
  return qRound(fontMetrics().height() * 0.7);
}

int BarRow::linesIn(int width) const {
  const int room = width - widths().figures - widths().bar - 4 * kRowMargin;
  int lines = 1;
  while (lines < kMostActionLines && widths().text > roomOfLines(lines, room)) ++lines;
  return lines;
}

// What is left at the end of each line but the last is less than a word.
int BarRow::roomOfLines(int lines, int width) const {
  return lines * width - (lines - 1) * fontMetrics().averageCharWidth() * kFewestActionLetters / 2;
}

int BarRow::heightForWidth(int width) const {
  if (m_line.form != RowForm::Action) return PaintedButton::heightForWidth(width);
  return sizeHint().height() + (linesIn(width) - 1) * fontMetrics().lineSpacing();
}

QSize BarRow::sizeHint() const {
  const int line = fontMetrics().height();
  const Widths& wide = widths();
  switch (m_line.form) {
    case RowForm::Chip:
      return {wide.text + gap() + wide.figures + 2 * kRowMargin + 2, std::max(28, line * 18 / 10)};
    case RowForm::Owner:
      return {fontMetrics().averageCharWidth() * 48, std::max(28, line * 2)};
    case RowForm::Beside:
      return {wide.figures + wide.bar + wide.text + 5 * kRowMargin, std::max(24, qRound(line * 1.6))};
    case RowForm::Action:
      return {wide.figures + wide.bar + wide.text + wide.detail + 6 * kRowMargin, std::max(24, qRound(line * 1.7))};
    case RowForm::Sample:
      return {sampleSide() + wide.text + wide.figures + 8 * kRowMargin, std::max(24, qRound(line * 1.6))};
    case RowForm::Link:
      break;
  }
  return {wide.text + 2 * kRowMargin, std::max(24, qRound(line * 1.6))};
}

QSize BarRow::minimumSizeHint() const {
  const QSize whole = sizeHint();
  const int letter = fontMetrics().averageCharWidth();
  const int beforeText = widths().figures + widths().bar + 5 * kRowMargin;
  switch (m_line.form) {
    case RowForm::Chip:
    case RowForm::Sample:
      return whole;
    case RowForm::Owner:
      return {whole.width() / 2, whole.height()};
    case RowForm::Beside:
      return {beforeText + letter * kFewestLetters, whole.height()};
    case RowForm::Action:
      return {beforeText + letter * kFewestActionLetters, whole.height()};
    case RowForm::Link:
      break;
  }
  return {letter * kFewestLetters + 2 * kRowMargin, whole.height()};
}

void BarRow::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Colours colours(palette());
  const bool isChip = m_line.form == RowForm::Chip;
  if (isChip) {
    paintFrame(painter, colours);
  } else {
    paintGround(painter);
  }
  QRect room = rect().adjusted(kRowMargin, 0, -kRowMargin, 0);
  switch (m_line.form) {
    case RowForm::Beside:
    case RowForm::Action:
      paintBeside(painter, colours);
      return;
    case RowForm::Chip:
    case RowForm::Owner: {
      const int thickness = static_cast<int>(thicknessOfBar(m_line.form));
      if (isChip) room.setLeft(room.left() + 1);
      paintBar(painter, colours,
               QRectF(room.left(), height() - thickness - (isChip ? 4 : 3), width() - 2 * kRowMargin - (isChip ? 2 : 0),
                      thickness));
      room.setBottom(room.bottom() - thickness - (isChip ? 0 : 2));
      break;
    }
    case RowForm::Sample: {
      const int side = sampleSide();
      painter.setPen(m_line.isSampleOutlined ? QPen(colours.outline(), 1) : QPen(Qt::NoPen));
      painter.setBrush(m_line.sample(colours));
      painter.drawRoundedRect(QRectF(kRowMargin, (height() - side) / 2.0, side, side), 2, 2);
      room.setLeft(room.left() + kRowMargin + side);
      break;
    }
    case RowForm::Link:
      break;
  }
  paintWords(painter, colours, room);
}

void BarRow::paintFrame(QPainter& painter, const Colours& colours) const {
  const QColor accent = palette().color(QPalette::Highlight);
  QColor ground = underMouse() || isDown() ? palette().color(QPalette::Midlight) : QColor(Qt::transparent);
  if (isChecked()) {
    ground = accent;
    ground.setAlphaF(0.16F);
  }
  painter.setPen(hasFocus() ? focusRing(palette()) : QPen(isChecked() ? accent : colours.outline(), 1));
  painter.setBrush(ground);
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
}

void BarRow::paintBar(QPainter& painter, const Colours& colours, const QRectF& room) const {
  const double thickness = room.height();
  painter.setPen(Qt::NoPen);
  painter.setBrush(colours.gridLine());
  painter.drawRoundedRect(room, thickness / 2, thickness / 2);
  if (m_line.share <= 0) return;
  painter.setBrush(colours.heatStep(3));
  painter.drawRoundedRect(QRectF(room.topLeft(), QSizeF(std::max(thickness, room.width() * m_line.share), thickness)),
                          thickness / 2, thickness / 2);
}

void BarRow::paintWords(QPainter& painter, const Colours& colours, const QRect& room) const {
  QRect left = room;
  const QColor plain = isEnabled() ? palette().color(QPalette::WindowText) : colours.dimmedText();
  for (const RowFigure& figure : m_line.figures) {
    painter.setPen(figure.isDimmed ? colours.dimmedText() : plain);
    painter.drawText(left, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, figure.text);
    left.setRight(left.right() - figureWidth(figure) - gap());
  }
  painter.setPen(plain);
  if (m_line.form == RowForm::Link)
    painter.setPen(m_line.isWarning ? colours.warning() : palette().color(QPalette::Link));
  painter.drawText(left, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                   fontMetrics().elidedText(text(), Qt::ElideMiddle, left.width()));
}

void BarRow::paintBeside(QPainter& painter, const Colours& colours) const {
  const bool isAction = m_line.form == RowForm::Action;
  const QRect figure(kRowMargin, 0, widths().figures, height());
  painter.setFont(figureFont());
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawText(figure, Qt::AlignRight | Qt::AlignVCenter, m_line.figures.front().text);
  painter.setFont(font());

  const double thickness = isAction ? fontMetrics().height() * kActionBarThickness : thicknessOfBar(m_line.form);
  const QRectF room(figure.right() + 1 + kRowMargin, (height() - thickness) / 2, widths().bar, thickness);
  const QRectF bar(room.topLeft(), QSizeF(std::max(kLeastBar, room.width() * m_line.share), thickness));
  if (!isAction) {
    paintBar(painter, colours, room);
  } else if (m_line.isHatched) {
    paintHatch(painter, bar, colours);
  } else {
    painter.fillRect(bar, colours.heatStep(2));
  }

  const int gapOfWords = isAction ? kRowMargin : 2 * kRowMargin;
  const QRect words = rect().adjusted(qRound(room.right()) + gapOfWords, 0, -kRowMargin, 0);
  // Where room is short the sentence goes before the detail.
  if (isAction && words.width() >= widths().text + 2 * kRowMargin + widths().detail) {
    painter.setPen(colours.dimmedText());
    painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, m_line.detail);
  }
  painter.setPen(palette().color(QPalette::WindowText));
  const int lines = isAction ? linesIn(width()) : 1;
  if (lines == 1) {
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     isAction ? text() : fontMetrics().elidedText(text(), Qt::ElideMiddle, words.width()));
    return;
  }
  const QString shown = fontMetrics().elidedText(text(), Qt::ElideMiddle, roomOfLines(lines, words.width()));
  painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, breakableText(shown));
}

BarRow* makeKindChip(const QString& name, std::uint64_t count, std::uint64_t all, QWidget* parent) {
  return new BarRow({.form = RowForm::Chip,
                     .text = name,
                     .figures = {{.text = countText(count), .isDimmed = true}},
                     .share = all == 0 ? 0 : static_cast<double>(count) / static_cast<double>(all),
                     .spoken = u"%1: %2"_s.arg(name, countText(count))},
                    parent);
}

BarRow* makeLinkRow(const QString& text, QWidget* parent, bool isWarning) {
  return new BarRow({.form = RowForm::Link, .text = text, .isWarning = isWarning}, parent);
}

}  // namespace heapscape::gui
