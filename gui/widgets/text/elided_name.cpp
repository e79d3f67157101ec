// SPDX-License-Identifier: MIT
#include "widgets/text/elided_name.h"

#include <QCache>
#include <QFontMetrics>
#include <QPainter>

#include "widgets/text/shaped_text.h"

namespace heapscape::gui {

namespace {

constexpr qsizetype kLeastPrefix = 4;  // a letter or two of what is left of a namespace say nothing
constexpr qsizetype kLeastOuter = 4;   // the same of a type around another
constexpr int kKeptNames = 2000;       // some screens full of lists

// Behind the name that they are arguments of: what compilers make up has brackets of its own, "Program+<Run>d__3".
qsizetype argumentsOf(const QString& name) {
  for (qsizetype at = name.indexOf(QLatin1Char('<')); at >= 0; at = name.indexOf(QLatin1Char('<'), at + 1)) {
    if (at > 0 && name[at - 1].isLetterOrNumber()) return at + 1;
  }
  return -1;
}

// Where "+Entry" begins, which is declared in another type; what compilers make up says less than what it is made for.
qsizetype innerOf(const QString& name) {
  const qsizetype at = name.lastIndexOf(QLatin1Char('+'));
  const bool isMadeUp = at >= 0 && (at + 1 == name.size() || name[at + 1] == QLatin1Char('<'));
  return isMadeUp || name.indexOf(QLatin1Char('>'), at + 1) >= 0 ? -1 : at;
}

// "Dictio…+Entry[]", "…+Entry[]", or the end of that.
QString cutOuter(const QString& name, qsizetype inner, int width, const QFontMetrics& metrics) {
  const QString own = name.mid(inner);
  const int room = width - metrics.horizontalAdvance(own);
  const QString outer = metrics.elidedText(name.left(inner), Qt::ElideRight, room);
  if (outer.size() >= kLeastOuter) return outer + own;
  return metrics.elidedText(QChar(0x2026) + own, Qt::ElideMiddle, width);
}

// "List<…>+Entry": what stands between the brackets gives way, then the type around it.
QString cutArguments(const QString& name, int width, const QFontMetrics& metrics) {
  const qsizetype begin = argumentsOf(name);
  const qsizetype end = name.lastIndexOf(QLatin1Char('>'));
  const qsizetype inner = innerOf(name);
  if (begin < 0 || end < begin)
    return inner > 0 ? cutOuter(name, inner, width, metrics) : metrics.elidedText(name, Qt::ElideMiddle, width);
  const QString before = name.left(begin);
  const QString after = name.mid(end);
  const int room = width - metrics.horizontalAdvance(before) - metrics.horizontalAdvance(after);
  const QString dots(QChar(0x2026));
  if (room < metrics.horizontalAdvance(dots) && inner > end) return cutOuter(name, inner, width, metrics);
  if (room < metrics.horizontalAdvance(dots)) return metrics.elidedText(name, Qt::ElideRight, width);
  return before + metrics.elidedText(name.mid(begin, end - begin), Qt::ElideRight, room) + after;
}

// What is asked of a name, which a list asks again with every frame.
struct CutName {
  QString name;
  int prefixLength;
  int width;
  QFont font;
  QString shorter;

  bool operator==(const CutName&) const = default;
};

std::size_t qHash(const CutName& key, std::size_t seed = 0) {
  return qHashMulti(seed, key.name, key.width);
}

ElidedName cutName(const QString& prefix, const QString& rest, int restWidth, const CutName& asked) {
  const QFontMetrics metrics(asked.font);
  const int width = asked.width;
  if (restWidth <= width) {
    const QString cut = metrics.elidedText(prefix, Qt::ElideMiddle, width - restWidth);
    return {cut.size() < kLeastPrefix ? QString() : cut, rest};
  }
  if (asked.shorter.isEmpty()) return {{}, metrics.elidedText(rest, Qt::ElideMiddle, width)};
  const bool fits = shapedText(asked.font, asked.shorter).width() <= width;
  return {{}, fits ? asked.shorter : cutArguments(asked.shorter, width, metrics)};
}

}  // namespace

ElidedName elideName(const QString& name, int prefixLength, int width, const QFont& font, const QString& shorter) {
  const QString prefix = name.left(prefixLength);
  const QString rest = name.mid(prefixLength);
  const int restWidth = shapedText(font, rest).width();
  if (restWidth + shapedText(font, prefix).width() <= width) return {prefix, rest};
  const CutName key{name, prefixLength, width, font, shorter};
  static QCache<CutName, ElidedName> kept(kKeptNames);
  if (const ElidedName* cut = kept.object(key)) return *cut;
  auto* cut = new ElidedName(cutName(prefix, rest, restWidth, key));
  kept.insert(key, cut);
  return *cut;
}

int drawName(QPainter& painter, const QRect& area, const QFont& font, const ElidedName& name, const QColor& prefix,
             const QColor& rest) {
  int used = 0;
  const auto draw = [&](const QString& part, const QColor& colour) {
    painter.setPen(colour);
    const ShapedText& shaped = shapedText(font, part);
    shaped.draw(&painter, area.adjusted(used, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter);
    used += shaped.width();
  };
  if (!name.prefix.isEmpty()) draw(name.prefix, prefix);
  draw(name.rest, rest);
  return used;
}

}  // namespace heapscape::gui
