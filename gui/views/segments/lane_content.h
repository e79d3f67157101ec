// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <vector>

#include "session/heap/heap_map.h"
#include "session/objects/object_query.h"
#include "views/segments/address_scale.h"

namespace heapscape::gui {

/// What of a lane is read: all of it at its first scale, what is in view when zoomed, all of it for the overview strip.
enum class LanePart : std::uint8_t { Home, View, Strip };

/// A part of a segment to be read at a resolution.
struct LaneQuestion {
  engine::SegmentId segment;
  engine::AddressRange window;
  std::size_t cells = 0;        // one per device pixel
  std::size_t mostObjects = 0;  // more than these are not listed one by one
  LanePart part = LanePart::Home;
  bool operator==(const LaneQuestion&) const = default;
};

/// What lies in a part of a segment: densities, and the single objects where they are few enough to be told apart.
struct LaneContent {
  LaneQuestion question;
  std::vector<engine::MapCell> cells;
  std::vector<engine::ObjectRow> objects;  // in address order
  bool hasObjects = false;

  /// The listed object that holds this address.
  const engine::ObjectRow* objectAt(engine::Address address) const;
};

/// Runs on the engine thread.
engine::Outcome<LaneContent> readLane(const engine::Snapshot& snapshot, const LaneQuestion& question,
                                      std::stop_token stop);

/// Equal neighbouring pixel columns of a density: heights from the bottom, in pixels.
struct DensityRun {
  double left = 0;
  double right = 0;
  std::array<int, engine::kGenerationCount> used{};
  int free = 0;
  int unknown = 0;
  bool hasSameHeights(const DensityRun& other) const {
    return used == other.used && free == other.free && unknown == other.unknown;
  }
};

/// The columns of `content` that fall on [left, right) of the scale, `step` pixels each, `height` pixels high.
std::vector<DensityRun> densityRuns(const LaneContent& content, const AddressScale& scale, double left, double right,
                                    double step, int height);

}  // namespace heapscape::gui
