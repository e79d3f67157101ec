// SPDX-License-Identifier: MIT
#include "widgets/text/shaped_text.h"

#include <QCache>
#include <QPainter>
#include <QTextOption>
#include <algorithm>
#include <cmath>

namespace heapscape::gui {

namespace {

constexpr qsizetype kKeptCharacters = 400'000;  // some screens full of lists
constexpr qsizetype kCharactersOfOneText = 32;  // what keeping any text takes, in characters

struct TextInFont {
  QFont font;
  QString text;

  bool operator==(const TextInFont&) const = default;
};

// Windows have few fonts, which differ in what QFont::operator== finds out faster than a hash of them.
std::size_t qHash(const TextInFont& key, std::size_t seed = 0) {
  return qHash(key.text, seed);
}

// What would begin another line, or a column of tabs, is a space in a row of a list.
QString onOneLine(QString text) {
  for (const QChar breaking :
       {QChar(u'\n'), QChar(u'\r'), QChar(u'\t'), QChar(QChar::LineSeparator), QChar(QChar::ParagraphSeparator)}) {
    if (text.contains(breaking)) text.replace(breaking, QChar(u' '));
  }
  return text;
}

}  // namespace

ShapedText::ShapedText(const QFont& font, const QString& text) : m_font(font), m_text(onOneLine(text)) {
  QTextOption option;
  option.setWrapMode(QTextOption::NoWrap);
  option.setTextDirection(Qt::LeftToRight);
  m_text.setTextFormat(Qt::PlainText);
  m_text.setTextOption(option);
  m_text.prepare({}, font);
  m_width = qRound(m_text.size().width());
}

void ShapedText::draw(QPainter* painter, const QRect& area, Qt::Alignment alignment) const {
  painter->setFont(m_font);
  if (m_width > area.width()) {
    painter->drawText(area, static_cast<int>(alignment) | Qt::TextSingleLine, m_text.text());
    return;
  }
  const QSizeF size = m_text.size();
  const double left = alignment & Qt::AlignRight     ? area.right() + 1 - size.width()
                      : alignment & Qt::AlignHCenter ? area.left() + (area.width() - size.width()) / 2
                                                     : area.left();
  const double top = alignment & Qt::AlignVCenter  ? area.top() + (area.height() - size.height()) / 2
                     : alignment & Qt::AlignBottom ? area.bottom() + 1 - size.height()
                                                   : area.top();
  const double scale = painter->device()->devicePixelRatioF();
  painter->drawStaticText(QPointF(left, std::ceil(top * scale) / scale), m_text);
}

const ShapedText& shapedText(const QFont& font, const QString& text) {
  static QCache<TextInFont, ShapedText> kept(kKeptCharacters);
  const TextInFont key{font, text};
  if (const ShapedText* shaped = kept.object(key)) return *shaped;
  auto* shaped = new ShapedText(font, text);
  kept.insert(key, shaped, kCharactersOfOneText + std::min(text.size(), kKeptCharacters / 2));
  return *shaped;
}

}  // namespace heapscape::gui
