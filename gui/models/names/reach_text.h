// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <cstdint>
#include <vector>

#include "session/snapshot/snapshot.h"

namespace heapscape::gui {

/// "18.4 MB garbage"; "no garbage".
QString garbageText(const engine::RetainedTotals& totals);
/// The exact figures, and that a click lists them.
QString garbageTip(const engine::RetainedTotals& totals);
/// What an object is that no root leads to: "garbage", or "unreferenced" for a frozen one, which is never collected.
QString unreachedText(bool isGarbage);
/// The same as a sentence.
QString unreachedTip(bool isGarbage);
/// "143,264 bytes in 2,610 objects that are frozen and unreferenced, never collected"; empty if there are none.
QString frozenText(const engine::RetainedTotals& totals);
/// "10.5 MB live, 18.4 MB garbage not collected yet". `collections`: of gen0, gen1 and gen2, each with those of older
/// ones; then it also says how many were of gen2, which alone collect all garbage. Empty if not known. `freeBytes`
/// between objects: named where they are more than the garbage and a fifth of the heap.
QString reachSentence(const engine::RetainedTotals& totals, const std::vector<std::uint64_t>& collections,
                      std::uint64_t freeBytes = 0);

}  // namespace heapscape::gui
