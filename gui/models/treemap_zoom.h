// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QString>

#include "bridge/navigator.h"
#include "models/zoom_steps.h"

namespace heapscape::gui {

class Treemap;

/// Makes looking into the groups of a treemap a part of the history of the place that it stands in. The picture is
/// known by its object's name.
class TreemapZoom : public QObject {
  Q_OBJECT

 public:
  /// Belongs to the treemap.
  TreemapZoom(Treemap* treemap, Navigator& navigator, PlaceId place);

 private:
  void tell();
  void follow(const Location& location);

  Treemap* m_treemap;
  Navigator& m_navigator;
  PlaceId m_place;
  ZoomSteps<QString> m_groups;  // by name: the same ones may be divided anew
  std::uint32_t m_step = 0;
  bool m_isFollowing = false;
};

}  // namespace heapscape::gui
