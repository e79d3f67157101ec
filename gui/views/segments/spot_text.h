// SPDX-License-Identifier: MIT
#pragma once

#include "views/segments/lane_content.h"
#include "views/segments/map_state.h"
#include "views/segments/segment_map_geometry.h"
#include "widgets/drawing/colours.h"
#include "widgets/hover_bubble.h"

namespace heapscape::gui {

/// The texts of the columns beside a lane: "1.2 MB", "24 KB", "2%", and how much was read, "⚠ 99.8%".
std::array<QString, kFigureColumns> figureTexts(const LaneTotals& totals);
/// A segment as a whole.
BubbleText segmentText(const MapState& state, const Colours& colours, std::size_t lane);
/// Words for a point of the map that is no object: the segment as a whole, committed or reserved space.
BubbleText spotText(const MapState& state, const Colours& colours, const MapSpot& spot);
/// A place among the objects where none is: a gap of an allocation context, or what could not be read.
BubbleText gapText(const MapState& state, const MapSpot& spot);
/// An object, with what is known of it; of a free one what stands on both sides. `neighbours` is how many share the
/// pixel.
BubbleText objectText(const MapState& state, const Colours& colours, const engine::MapObject& object,
                      std::uint64_t neighbours);
/// How many objects start in the cell that holds the address.
std::uint64_t objectsAt(const LaneContent& content, engine::Address address);

}  // namespace heapscape::gui
