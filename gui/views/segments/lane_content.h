// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QRectF>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <utility>
#include <vector>

#include "bridge/engine_bridge.h"
#include "session/heap/heap_map.h"
#include "session/objects/object_query.h"
#include "views/segments/segment_map_geometry.h"

namespace heapscape::gui {

/// Part of a lane that is read: all at its first scale, what is in view when zoomed, all of it for the overview strip.
enum class LanePart : std::uint8_t { Home, View, Strip };

/// A part of a segment to be read at a resolution.
struct LaneQuestion {
  engine::SegmentId segment;
  engine::AddressRange window;
  std::size_t cells = 0;        // one per device pixel
  std::size_t mostObjects = 0;  // more than these are not listed one by one
  LanePart part = LanePart::Home;
  engine::MapPaint paint = {};
  bool operator==(const LaneQuestion&) const = default;
};

/// The contents of a part of a segment: densities, and the single objects where they are few enough to be told apart.
struct LaneContent {
  LaneQuestion question;
  std::vector<engine::MapCell> cells;
  std::vector<engine::ObjectRow> objects;  // in address order
  std::vector<engine::MapMark> marks;      // of each of these
  bool hasObjects = false;

  /// The listed object that holds this address.
  const engine::ObjectRow* objectAt(engine::Address address) const;
};

/// Runs on the engine thread.
engine::Outcome<LaneContent> readLane(const engine::Snapshot& snapshot, const LaneQuestion& question,
                                      std::stop_token stop);

/// Equal neighbouring pixel columns of a density: heights in pixels, one above the other in this order.
struct DensityRun {
  double left = 0;
  double right = 0;
  std::array<int, engine::kMapColours> used{};  // by the number of the colour
  int free = 0;
  std::array<int, engine::kMapColours> pale{};
  int paleFree = 0;
  int unknown = 0;
  bool hasSameHeights(const DensityRun& other) const {
    return used == other.used && free == other.free && pale == other.pale && paleFree == other.paleFree &&
           unknown == other.unknown;
  }
};

/// The columns of `content` that fall on [left, right) of the scale, `step` pixels each, `height` pixels high.
std::vector<DensityRun> densityRuns(const LaneContent& content, const AddressScale& scale, double left, double right,
                                    double step, int height);

/// Where pinned objects begin, at least `spacing` pixels apart.
std::vector<double> pinPlaces(const LaneContent& content, const AddressScale& scale, double left, double right,
                              double spacing);

/// Fetches what lanes show, one question at a time so that what is wanted most never waits behind what has scrolled
/// away.
class LaneLoader : public QObject {
  Q_OBJECT

 public:
  explicit LaneLoader(EngineBridge& bridge, QObject* parent = nullptr);

  /// Asks for what is on screen now, most urgent first; replaces what was wanted before. What is there already is not
  /// read again.
  void want(std::vector<LaneQuestion> questions);
  /// The newest answer, perhaps for an older window or size; null if there is none yet.
  const LaneContent* find(engine::SegmentId segment, LanePart part) const;
  void clear();

 Q_SIGNALS:
  void arrived();

 private:
  using Key = std::pair<engine::SegmentId, LanePart>;
  static constexpr std::size_t kMostKept = 600;

  bool isAnswered(const LaneQuestion& question) const;
  void askNext();
  void keep(LaneContent content);

  EngineBridge& m_bridge;
  std::vector<LaneQuestion> m_wanted;  // the most urgent last
  std::set<Key> m_onScreen;            // not to be forgotten
  std::optional<LaneQuestion> m_asked;
  std::map<Key, LaneContent> m_contents;
};

}  // namespace heapscape::gui
