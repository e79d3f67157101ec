// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include "session/heap/gc_settings.h"
#include "views/generations/generation_stacks.h"
#include "widgets/drawing/colours.h"
#include "widgets/hover_bubble.h"

namespace heapscape::gui {

/// "1.2 MB" or "20,598".
QString measureText(std::uint64_t value, Measure measure);
/// The same of a round value, shorter: "4 KB".
QString tickText(double value, Measure measure);
/// "gen1", or "free".
QString partName(const StackPart& part);
/// What a part of a bar says when one points at it: its exact figure and its share; of a whole bar, each part's figure.
BubbleText stackText(const StackTable& table, std::size_t bar, std::optional<std::size_t> part, const Colours& colours);
/// How evenly the heaps are filled, as a sentence.
QString balanceText(const HeapBalance& balance);
/// Whether the GC changes the number of its heaps, as a sentence; empty if it is of a kind that cannot.
QString adaptationText(const engine::GcHeaps& heaps);

}  // namespace heapscape::gui
