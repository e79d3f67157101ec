// SPDX-License-Identifier: MIT
#include <QPainter>
#include <QTextLayout>

#include "print/print_item.h"

namespace heapscape::gui {
namespace {

constexpr double kNoteInset = 8;       // in points
constexpr double kLineSpacing = 1.25;  // of the font's height
constexpr QRgb kNoteGround = 0xfffff8ec;
constexpr QRgb kNoteRule = 0xffe69f00;
constexpr QRgb kPrintParagraphRule = 0xffdfe2e7;

class Paragraph : public PrintItem {
 public:
  Paragraph(const PrintStyle& style, const QString& text, const ParagraphLook& look)
      : m_style(style), m_look(look), m_text(text) {
    layOut(m_layout);
    flow.height = m_height;
    flow.spaceBefore = style.points(look.spaceBefore);
  }

  void paint(QPainter& painter, double y) const override {
    if (m_look.isNote) {
      const QRectF ground(0, y, m_style.width, m_height);
      painter.fillRect(ground, QColor::fromRgba(kNoteGround));
      painter.fillRect(QRectF(0, y, m_style.points(2), m_height), QColor::fromRgba(kNoteRule));
    }
    if (m_look.hasRule) {
      painter.fillRect(QRectF(0, y - m_style.points(10), m_style.width, m_style.points(0.6)),
                       QColor::fromRgba(kPrintParagraphRule));
    }
    painter.setPen(m_look.colour);
    m_layout.draw(&painter, QPointF(inset(), y + inset() / 2));
  }

 private:
  double inset() const { return m_look.isNote ? m_style.points(kNoteInset) : 0; }

  void layOut(QTextLayout& layout) {
    layout.setText(m_text);
    layout.setFont(QFont(m_style.font(m_look.size, m_look.weight), const_cast<QPaintDevice*>(m_style.device)));
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    double y = 0;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
      line.setLineWidth(m_style.width - 2 * inset());
      line.setPosition(QPointF(0, y));
      y += line.height() * kLineSpacing;
    }
    layout.endLayout();
    m_height = y + inset();
  }

  const PrintStyle& m_style;
  ParagraphLook m_look;
  QString m_text;
  QTextLayout m_layout;
  double m_height = 0;
};

}  // namespace

PrintStyle::PrintStyle(const QPaintDevice& paintDevice)
    : device(&paintDevice), unit(paintDevice.logicalDpiY() / 72.0), width(paintDevice.width()) {}

QFont PrintStyle::font(double pointSize, QFont::Weight weight) const {
  QFont font;
  font.setPointSizeF(pointSize);
  font.setWeight(weight);
  return font;
}

void addParagraphs(PrintItems& items, const PrintStyle& style, const QString& text, const ParagraphLook& look) {
  ParagraphLook each = look;
  for (const QString& paragraph : text.split(QLatin1Char('\n'))) {
    items.push_back(std::make_unique<Paragraph>(style, paragraph, each));
    each.spaceBefore = 0;
    each.hasRule = false;
  }
}

}  // namespace heapscape::gui
