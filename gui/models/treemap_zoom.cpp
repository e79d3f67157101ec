// SPDX-License-Identifier: MIT
#include "models/treemap_zoom.h"

#include <algorithm>
#include <optional>

#include "widgets/treemap/treemap.h"

namespace heapscape::gui {

TreemapZoom::TreemapZoom(Treemap* treemap, Navigator& navigator, PlaceId place)
    : QObject(treemap), m_treemap(treemap), m_navigator(navigator), m_place(place) {
  connect(treemap, &Treemap::zoomChanged, this, &TreemapZoom::tell);
  connect(&navigator, &Navigator::locationChanged, this, &TreemapZoom::follow);
}

void TreemapZoom::tell() {
  if (m_isFollowing || m_treemap->groups().empty()) return;
  const std::optional<std::size_t> group = m_treemap->zoomed();
  const QString* before = m_groups.find(m_step);
  if (group && before && *before == m_treemap->groups()[*group].name) return;
  m_step = group ? m_groups.add(m_treemap->groups()[*group].name) : 0;
  m_navigator.zoom(m_treemap->objectName(), m_step);
}

void TreemapZoom::follow(const Location& location) {
  const std::uint32_t step = location.zoomOf(m_treemap->objectName());
  if (location.place != m_place || step == m_step) return;
  m_step = step;
  const QString* name = m_groups.find(step);
  const auto found =
      name ? std::ranges::find(m_treemap->groups(), *name, &TreemapPart::name) : m_treemap->groups().end();
  m_isFollowing = true;
  m_treemap->zoom(found == m_treemap->groups().end()
                      ? std::nullopt
                      : std::optional(static_cast<std::size_t>(found - m_treemap->groups().begin())));
  m_isFollowing = false;
}

}  // namespace heapscape::gui
