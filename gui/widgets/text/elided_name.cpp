// SPDX-License-Identifier: MIT
#include "widgets/text/elided_name.h"

namespace heapscape::gui {

namespace {

constexpr qsizetype kLeastPrefix = 4;  // a letter or two of what is left of a namespace say nothing
constexpr qsizetype kLeastOuter = 4;   // the same of a type around another

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

}  // namespace

ElidedName elideName(const QString& name, int prefixLength, int width, const QFontMetrics& metrics,
                     const QString& shorter) {
  const QString prefix = name.left(prefixLength);
  const QString rest = name.mid(prefixLength);
  const int restWidth = metrics.horizontalAdvance(rest);
  if (restWidth + metrics.horizontalAdvance(prefix) <= width) return {prefix, rest};
  if (restWidth <= width) {
    const QString cut = metrics.elidedText(prefix, Qt::ElideMiddle, width - restWidth);
    return {cut.size() < kLeastPrefix ? QString() : cut, rest};
  }
  if (shorter.isEmpty()) return {{}, metrics.elidedText(rest, Qt::ElideMiddle, width)};
  return {{}, metrics.horizontalAdvance(shorter) <= width ? shorter : cutArguments(shorter, width, metrics)};
}

}  // namespace heapscape::gui
