// SPDX-License-Identifier: MIT
#include "views/layouts/layout_text.h"

#include <QStringList>

#include "widgets/layout_diagram/layout_item_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

using engine::LayoutItem;
using engine::LayoutItems;
using engine::LayoutPart;

namespace {

constexpr int kFigureWidth = 8;

QString itemLine(const LayoutItem& item, int indent) {
  QString line = QString::number(item.begin).rightJustified(kFigureWidth);
  const bool isOpenEnded = item.part == LayoutPart::Repeated && item.repeats == 0;
  line += (isOpenEnded ? QStringLiteral("…") : QString::number(item.sizeBytes())).rightJustified(kFigureWidth);
  line += QString(2 + 2 * indent, QLatin1Char(' ')) +
          (item.part == LayoutPart::Field ? fromEngine(item.name) : itemName(item));
  if (item.part == LayoutPart::Padding) return line;
  if (!item.typeName.empty()) line += QStringLiteral(" : ") + fromEngine(item.typeName);
  return line;
}

void addLines(const LayoutItems& items, const std::vector<std::uint32_t>& siblings, int indent, QStringList& lines) {
  for (const std::uint32_t number : siblings) {
    lines << itemLine(items[number], indent);
    addLines(items, items[number].children, indent + 1, lines);
  }
}

}  // namespace

QString layoutAsText(const engine::TypeLayout& layout, const LayoutItems& items, const TypePopulation& population) {
  QStringList lines{fromEngine(layout.typeName)};
  QStringList chips;
  for (const LayoutChip& chip : layoutChips(layout)) chips << chip.text;
  lines << chips.join(QStringLiteral(", "));
  for (const LayoutFigure& figure : layoutFigures(layout, population))
    lines << figure.value + QLatin1Char(' ') + figure.caption;
  lines << QString();
  lines << QStringLiteral("offset").rightJustified(kFigureWidth) + QStringLiteral("size").rightJustified(kFigureWidth) +
               QStringLiteral("  field");
  addLines(items, items.roots, 0, lines);
  return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace heapscape::gui
