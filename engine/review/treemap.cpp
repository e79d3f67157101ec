// SPDX-License-Identifier: MIT
#include "review/treemap.h"

#include <algorithm>
#include <cmath>

namespace heapscape::engine {
namespace {

/// A row of rectangles along the shorter side of what is still free, filled until another one would make it worse.
class Squarifier {
 public:
  Squarifier(std::span<const double> areas, const TreemapRect& area) : m_areas(areas), m_free(area) {
    m_rects.resize(areas.size());
  }

  std::vector<TreemapRect> take() {
    for (std::size_t i = 0; i < m_areas.size(); ++i) {
      if (m_areas[i] <= 0) continue;
      if (m_rowArea > 0 && worstAspectWith(m_areas[i]) > worstAspect()) placeRow(i);
      addToRow(i);
    }
    placeRow(m_areas.size());
    return std::move(m_rects);
  }

 private:
  double side() const { return std::min(m_free.width, m_free.height); }
  double worst(double area, double least, double most) const {
    const double square = side() * side();
    return std::max(square * most / (area * area), area * area / (square * least));
  }
  double worstAspect() const { return worst(m_rowArea, m_rowLeast, m_rowMost); }
  double worstAspectWith(double area) const {
    return worst(m_rowArea + area, std::min(m_rowLeast, area), std::max(m_rowMost, area));
  }

  void addToRow(std::size_t i) {
    m_rowLeast = m_rowArea > 0 ? std::min(m_rowLeast, m_areas[i]) : m_areas[i];
    m_rowMost = std::max(m_rowMost, m_areas[i]);
    m_rowArea += m_areas[i];
  }

  void placeRow(std::size_t end) {
    if (m_rowArea > 0) {
      const bool upright = m_free.width >= m_free.height;
      const double room = upright ? m_free.width : m_free.height;
      const double thickness = side() > 0 ? std::min(m_rowArea / side(), room) : 0;
      double along = upright ? m_free.y : m_free.x;
      for (std::size_t i = m_rowBegin; i < end; ++i) {
        if (m_areas[i] <= 0) continue;
        const double length = side() * m_areas[i] / m_rowArea;
        m_rects[i] =
            upright ? TreemapRect{m_free.x, along, thickness, length} : TreemapRect{along, m_free.y, length, thickness};
        along += length;
      }
      (upright ? m_free.x : m_free.y) += thickness;
      (upright ? m_free.width : m_free.height) -= thickness;
    }
    m_rowBegin = end;
    m_rowArea = m_rowMost = 0;
  }

  std::span<const double> m_areas;
  TreemapRect m_free;
  std::vector<TreemapRect> m_rects;
  std::size_t m_rowBegin = 0;
  double m_rowArea = 0, m_rowLeast = 0, m_rowMost = 0;
};

}  // namespace

std::vector<TreemapRect> squarify(std::span<const double> weights, const TreemapRect& area) {
  std::vector<double> areas(weights.size());
  double most = 0, sum = 0;
  const auto usable = [](double weight) { return std::isfinite(weight) && weight > 0; };
  for (const double weight : weights) {
    if (usable(weight)) most = std::max(most, weight);
  }
  const double whole = area.width > 0 && area.height > 0 ? area.width * area.height : 0;
  if (most <= 0 || !(whole > 0) || !std::isfinite(whole)) return std::vector<TreemapRect>(weights.size());
  // Divided by the largest first, so that no sum of finite weights overflows.
  for (const double weight : weights) sum += usable(weight) ? weight / most : 0;
  for (std::size_t i = 0; i < weights.size(); ++i)
    areas[i] = usable(weights[i]) ? whole * (weights[i] / most / sum) : 0;
  return Squarifier(areas, area).take();
}

}  // namespace heapscape::engine
