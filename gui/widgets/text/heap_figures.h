// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <cstdint>

#include "heap/segment.h"

namespace heapscape::gui {

/// The figures of a part of the heap: the program's objects and the free blocks between them, kept apart.
struct HeapFigures {
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
  std::uint64_t freeObjects = 0;
  std::uint64_t freeBytes = 0;
};
HeapFigures heapFigures(const engine::ObjectTotals& totals);

/// "gen0" … "frozen", as queries and the command line have them.
QString generationText(engine::Generation generation);
/// "gen0" … "frozen", or "ephemeral".
QString segmentKindText(engine::SegmentKind kind);

/// A share from 0 to 1 with the care of percentText(): never "100%" for less.
QString shareText(double share);

}  // namespace heapscape::gui
