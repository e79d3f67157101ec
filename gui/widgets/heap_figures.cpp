// SPDX-License-Identifier: MIT
#include "widgets/heap_figures.h"

#include <QObject>
#include <algorithm>
#include <cmath>

#include "widgets/figures.h"

namespace heapscape::gui {

HeapFigures heapFigures(const engine::ObjectTotals& totals) {
  return {.objects = totals.objects - std::min(totals.objects, totals.freeObjects),
          .bytes = totals.bytes - std::min(totals.bytes, totals.freeBytes),
          .freeObjects = totals.freeObjects,
          .freeBytes = totals.freeBytes};
}

QString generationText(engine::Generation generation) {
  switch (generation) {
    case engine::Generation::Gen0:
      return QObject::tr("Gen 0");
    case engine::Generation::Gen1:
      return QObject::tr("Gen 1");
    case engine::Generation::Gen2:
      return QObject::tr("Gen 2");
    case engine::Generation::Large:
      return QObject::tr("Large");
    case engine::Generation::Pinned:
      return QObject::tr("Pinned");
    case engine::Generation::Frozen:
      break;
  }
  return QObject::tr("Frozen");
}

QString shareText(double share) {
  constexpr std::uint64_t kWhole = 1'000'000'000;
  const auto part = static_cast<std::uint64_t>(std::floor(std::clamp(share, 0.0, 1.0) * static_cast<double>(kWhole)));
  return percentText(part, kWhole);
}

}  // namespace heapscape::gui
