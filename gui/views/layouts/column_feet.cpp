// SPDX-License-Identifier: MIT
#include "views/layouts/column_feet.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QPainter>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/layout_diagram/side_by_side_canvas.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"
#include "widgets/tool_button.h"

namespace heapscape::gui {
namespace {

constexpr double kGap = 6;
constexpr double kBarLines = 0.9;
constexpr int kEffectLines = 2;

}  // namespace

ColumnFeet::ColumnFeet(SideBySideDiagram& diagram, QWidget* parent) : QWidget(parent), m_diagram(diagram) {
  setObjectName(u"layoutFeet"_s);
  connect(&diagram, &SideBySideDiagram::spansChanged, this, [this] {
    placeButtons();
    update();
  });
}

void ColumnFeet::show(std::vector<ColumnFoot> feet) {
  m_feet = std::move(feet);
  addButtons();
  QStringList texts;
  for (const ColumnFoot& foot : m_feet) {
    if (!foot.isChip)
      texts << u"%1, %2 padding, %3"_s.arg(bytesText(foot.bytes), bytesText(foot.paddingBytes), foot.effect);
  }
  setAccessibleName(u"Sizes"_s);
  setAccessibleDescription(texts.join(u". "_s));
  setVisible(m_hasRoom && m_feet.size() > 1);
  updateGeometry();
  update();
}

void ColumnFeet::setHasRoom(bool hasRoom) {
  m_hasRoom = hasRoom;
  setVisible(m_hasRoom && m_feet.size() > 1);
}

void ColumnFeet::addButtons() {
  for (QToolButton* button : m_buttons) delete button;
  m_buttons.assign(m_feet.size(), nullptr);
  for (std::size_t column = 0; column < m_feet.size(); ++column) {
    const ColumnFoot& foot = m_feet[column];
    if (foot.action.isEmpty()) continue;
    auto* button = new QToolButton(this);
    setUpTextButton(button, u"layoutAction%1"_s.arg(column), foot.action, foot.actionTip);
    button->setIcon(symbolIcon(u"copy"_s));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(button, &QToolButton::clicked, this, [code = foot.code] { QGuiApplication::clipboard()->setText(code); });
    button->show();
    m_buttons[column] = button;
  }
  placeButtons();
}

QSize ColumnFeet::sizeHint() const {
  const double line = QFontMetricsF(font()).height();
  const bool hasButtons = std::ranges::any_of(m_feet, [](const ColumnFoot& foot) { return !foot.action.isEmpty(); });
  const double buttons = hasButtons ? std::max(24.0, line * 1.6) + kGap : 0;
  return {fontMetrics().averageCharWidth() * 40,
          static_cast<int>(std::ceil(line * kBarLines + kEffectLines * line + buttons + 3 * kGap))};
}

QRectF ColumnFeet::spanOf(std::size_t column) const {
  const QRectF span = m_diagram.spanOf(column);
  return {m_diagram.x() - x() + span.left(), 0, span.width(), static_cast<double>(height())};
}

QRectF ColumnFeet::barOf(std::size_t column) const {
  if (column >= m_feet.size() || m_feet[column].isChip) return {};
  std::uint64_t most = 1;
  for (const ColumnFoot& foot : m_feet) most = std::max(most, foot.bytes);
  const QRectF span = spanOf(column);
  const double share = static_cast<double>(m_feet[column].bytes) / static_cast<double>(most);
  return {span.left(), kGap, span.width() * share, std::ceil(QFontMetricsF(font()).height() * kBarLines)};
}

QRectF ColumnFeet::paddingOf(std::size_t column) const {
  QRectF bar = barOf(column);
  if (bar.isEmpty() || m_feet[column].bytes == 0) return {};
  const double share = static_cast<double>(m_feet[column].paddingBytes) / static_cast<double>(m_feet[column].bytes);
  bar.setLeft(bar.right() - bar.width() * share);
  return bar;
}

QRectF ColumnFeet::effectRect(std::size_t column) const {
  const QRectF span = spanOf(column);
  return {span.left(), kGap + std::ceil(QFontMetricsF(font()).height() * kBarLines) + kGap / 2, span.width(),
          std::ceil(kEffectLines * QFontMetricsF(font()).height())};
}

void ColumnFeet::placeButtons() {
  const auto& columns = m_diagram.canvas()->geometry().columns;
  for (std::size_t column = 0; column < std::min(m_buttons.size(), columns.size()); ++column) {
    QToolButton* button = m_buttons[column];
    if (!button) continue;
    const QRectF room = effectRect(column);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    // The tip has the words where there is no room for them.
    if (button->sizeHint().width() > room.width()) button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    const QSize size = button->sizeHint();
    button->setGeometry(static_cast<int>(room.left()), static_cast<int>(room.bottom() + kGap / 2), size.width(),
                        size.height());
  }
}

void ColumnFeet::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), Colours(palette()).surface());
  painter.setRenderHint(QPainter::Antialiasing);
  paintFeet(painter, palette());
}

double ColumnFeet::pinnedHeight() const {
  return m_feet.size() > 1 ? effectRect(0).bottom() + kGap : 0;
}

void ColumnFeet::paintPinned(QPainter& painter, const QRectF& room) const {
  const SideBySideCanvas* canvas = m_diagram.canvas();
  const int scrolled = canvas->mapFrom(&m_diagram, QPoint()).x() - (m_diagram.x() - x());
  painter.translate(room.left() + scrolled, room.top());
  paintFeet(painter, canvas->palette());
}

void ColumnFeet::paintFeet(QPainter& painter, const QPalette& look) const {
  const Colours colours(look);
  if (m_diagram.canvas()->geometry().heads.size() != m_feet.size()) return;  // between two types
  for (std::size_t column = 0; column < m_feet.size(); ++column) {
    const QRectF bar = barOf(column);
    if (bar.isEmpty()) continue;
    painter.setPen(QPen(colours.outline(), 1));
    painter.setBrush(colours.methodTable());
    painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
    const QRectF padding = paddingOf(column).adjusted(0, 1, -1, -1);
    if (padding.width() > 1) {
      painter.fillRect(padding, colours.surface());
      paintHatch(painter, padding, colours);
    }
    painter.setPen(look.color(QPalette::Text));
    painter.setFont(font());
    painter.drawText(effectRect(column), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_feet[column].effect);
  }
}

void ColumnFeet::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) placeButtons();
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) update();
}

}  // namespace heapscape::gui
