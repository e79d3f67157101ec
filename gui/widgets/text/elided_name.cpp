// SPDX-License-Identifier: MIT
#include "widgets/text/elided_name.h"

namespace heapscape::gui {

ElidedName elideName(const QString& name, int prefixLength, int width, const QFontMetrics& metrics) {
  const QString prefix = name.left(prefixLength);
  const QString rest = name.mid(prefixLength);
  const int restWidth = metrics.horizontalAdvance(rest);
  if (restWidth > width) return {{}, metrics.elidedText(rest, Qt::ElideMiddle, width)};
  if (restWidth + metrics.horizontalAdvance(prefix) <= width) return {prefix, rest};
  const QString cut = metrics.elidedText(prefix, Qt::ElideLeft, width - restWidth);
  // A dot or two of what is left of a namespace says nothing.
  return {cut.size() < 4 ? QString() : cut, rest};
}

}  // namespace heapscape::gui
