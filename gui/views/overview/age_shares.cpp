// SPDX-License-Identifier: MIT
#include "views/overview/age_shares.h"

#include <QObject>

#include "widgets/text/heap_figures.h"

namespace heapscape::gui {

std::vector<AgeShare> ageShares(const std::vector<engine::GenerationRow>& rows) {
  std::vector<AgeShare> shares;
  AgeShare free;
  for (const engine::Generation generation : engine::kGenerations) {
    AgeShare share{.generation = generation};
    for (const engine::GenerationRow& row : rows) {
      if (row.generation != generation) continue;
      const HeapFigures figures = heapFigures(row.totals);
      share.objects += figures.objects;
      share.bytes += figures.bytes;
      free.objects += figures.freeObjects;
      free.bytes += figures.freeBytes;
    }
    if (share.bytes > 0) shares.push_back(share);
  }
  if (free.bytes > 0) shares.push_back(free);
  return shares;
}

QString ageShareName(const AgeShare& share) {
  return share.generation ? generationText(*share.generation) : QStringLiteral("free between");
}

}  // namespace heapscape::gui
