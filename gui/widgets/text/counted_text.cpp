// SPDX-License-Identifier: MIT
#include "widgets/text/counted_text.h"

#include "widgets/text/figures.h"

namespace heapscape::gui {

QString countedText(std::uint64_t count, const QString& one, const QString& several) {
  const QString plural = several.isEmpty() ? one + QLatin1Char('s') : several;
  return countText(count) + QLatin1Char(' ') + (count == 1 ? one : plural);
}

}  // namespace heapscape::gui
