// SPDX-License-Identifier: MIT
#include "widgets/text/heap_figures.h"

#include <QObject>
#include <algorithm>
#include <cmath>

#include "widgets/text/figures.h"

namespace heapscape::gui {

HeapFigures heapFigures(const engine::ObjectTotals& totals) {
  return {.objects = totals.objects - std::min(totals.objects, totals.freeObjects),
          .bytes = totals.bytes - std::min(totals.bytes, totals.freeBytes),
          .freeObjects = totals.freeObjects,
          .freeBytes = totals.freeBytes};
}

QString generationText(engine::Generation generation) {
  return QString::fromLatin1(engine::toString(generation));
}

QString segmentKindText(engine::SegmentKind kind) {
  return QString::fromLatin1(engine::toString(kind));
}

QString shareText(double share) {
  constexpr std::uint64_t kWhole = 1'000'000'000;
  const auto part = static_cast<std::uint64_t>(std::floor(std::clamp(share, 0.0, 1.0) * static_cast<double>(kWhole)));
  return percentText(part, kWhole);
}

}  // namespace heapscape::gui
