// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "bridge/engine_bridge.h"
#include "views/segments/lane_content.h"

namespace heapscape::gui {

/// Fetches what lanes show, one question at a time so that what is wanted most never waits behind what has scrolled
/// away.
class LaneLoader : public QObject {
  Q_OBJECT

 public:
  explicit LaneLoader(EngineBridge& bridge, QObject* parent = nullptr);

  /// What is on screen now, most urgent first; replaces what was wanted before. What is there already is not read
  /// again.
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
