// SPDX-License-Identifier: MIT
#include "views/generations/part_text.h"

#include <QLocale>
#include <QObject>

#include "widgets/text/figures.h"
#include "widgets/text/heap_figures.h"

namespace heapscape::gui {

namespace {

QString exactText(std::uint64_t value, Measure measure) {
  if (measure == Measure::Objects) return countedText(value, QStringLiteral("object"));
  return value < 1024 ? exactBytesText(value) : QStringLiteral("%1 (%2)").arg(bytesText(value), exactBytesText(value));
}

}  // namespace

QString measureText(std::uint64_t value, Measure measure) {
  return measure == Measure::Bytes ? bytesText(value) : countText(value);
}

QString tickText(double value, Measure measure) {
  QString text = measureText(static_cast<std::uint64_t>(value), measure);
  const qsizetype point = measure == Measure::Bytes ? text.indexOf(QLocale().decimalPoint()) : -1;
  if (point < 0) return text;
  // A round figure needs no zeros behind its point: "4 KB" instead of "4.00 KB".
  qsizetype end = text.indexOf(QLatin1Char(' '), point);
  while (end > point && (text[end - 1] == QLatin1Char('0') || end - 1 == point)) text.remove(--end, 1);
  return text;
}

QString partName(const StackPart& part) {
  return part.generation ? generationText(*part.generation) : QStringLiteral("free");
}

BubbleText stackText(const StackTable& table, std::size_t bar, std::optional<std::size_t> part,
                     const Colours& colours) {
  BubbleText text;
  const QString barName = table.bars[bar].name;
  if (part) {
    const StackPart& shown = table.parts[*part];
    text.swatch = shown.generation ? colours.of(*shown.generation) : colours.freeSpace();
    text.title = barName == partName(shown) ? barName : QStringLiteral("%1, %2").arg(barName, partName(shown));
    text.facts << exactText(shown.values[bar], table.measure);
    text.facts << QStringLiteral("%1 of %2, %3 of all")
                      .arg(percentText(shown.values[bar], table.barTotal(bar)), barName,
                           percentText(shown.values[bar], table.total()));
    return text;
  }
  text.title = barName;
  text.facts << QStringLiteral("%1, %2 of all")
                    .arg(exactText(table.barTotal(bar), table.measure),
                         percentText(table.barTotal(bar), table.total()));
  for (const StackPart& shown : table.parts) {
    if (shown.values[bar] > 0) {
      text.facts << QStringLiteral("%1: %2").arg(partName(shown), exactText(shown.values[bar], table.measure));
    }
  }
  return text;
}

QString balanceText(const HeapBalance& balance) {
  if (balance.largestBytes == balance.smallestBytes)
    return QStringLiteral("All heaps hold %1.").arg(bytesText(balance.largestBytes));
  if (balance.smallestBytes == 0) {
    return QStringLiteral("Uneven: heap %1 holds %2, heap %3 nothing.")
        .arg(balance.largestHeap)
        .arg(bytesText(balance.largestBytes))
        .arg(balance.smallestHeap);
  }
  const double ratio = static_cast<double>(balance.largestBytes) / static_cast<double>(balance.smallestBytes);
  return QStringLiteral("Heap %1 holds %2 times as much as heap %3: %4 and %5.")
      .arg(balance.largestHeap)
      .arg(QLocale().toString(ratio, 'f', ratio < 10 ? 1 : 0))
      .arg(balance.smallestHeap)
      .arg(bytesText(balance.largestBytes), bytesText(balance.smallestBytes));
}

QString adaptationText(const engine::GcHeaps& heaps) {
  switch (heaps.adaptation) {
    case engine::DynamicAdaptation::None:
      break;
    case engine::DynamicAdaptation::Off:
      return QStringLiteral("DATAS is off.");
    case engine::DynamicAdaptation::On:
      return QStringLiteral("DATAS is on: %1 of %2 heaps are active.")
          .arg(countText(heaps.active), countText(heaps.created));
    case engine::DynamicAdaptation::Unknown:
      return QStringLiteral("Whether DATAS is on is unknown: all %1 heaps are active.").arg(countText(heaps.active));
  }
  return {};
}

}  // namespace heapscape::gui
