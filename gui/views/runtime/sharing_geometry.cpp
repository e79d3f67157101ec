// SPDX-License-Identifier: MIT
#include "views/runtime/sharing_geometry.h"

#include <algorithm>

namespace heapscape::gui {

namespace {

constexpr double kMargin = 12;
constexpr double kInset = 12;  // of the rows within a box
constexpr double kGap = 8;

}  // namespace

SharingGeometry layOutSharing(const engine::GenericDefinition& definition, double width, double line) {
  SharingGeometry geometry;
  const auto& types = definition.instantiations;
  geometry.rows.reserve(types.size());
  const double inner = std::max(0.0, width - 2 * kMargin);
  double top = kMargin;
  for (std::size_t first = 0; first < types.size();) {
    std::size_t end = first + 1;
    while (end < types.size() && types[end].canonical == types[first].canonical) ++end;
    SharingGroup group{
        .box = {}, .heading = {}, .first = first, .count = end - first, .isShared = types[first].sharesCode};
    const double start = top;
    if (group.isShared) {
      group.heading = QRectF(kMargin + kInset, top, std::max(0.0, inner - 2 * kInset), line * 1.25);
      top = group.heading.bottom();
    }
    for (std::size_t row = first; row < end; ++row, top += line) {
      geometry.rows.emplace_back(kMargin + kInset, top, std::max(0.0, inner - 2 * kInset), line);
    }
    if (group.isShared) top += kGap / 2;
    group.box = QRectF(kMargin, start, inner, top - start);
    top += kGap;
    geometry.groups.push_back(group);
    first = end;
  }
  geometry.size = QSizeF(width, top + kMargin - kGap);
  return geometry;
}

std::optional<std::size_t> instantiationAt(const SharingGeometry& geometry, QPointF point) {
  const auto below =
      std::ranges::upper_bound(geometry.rows, point.y(), {}, [](const QRectF& row) { return row.top(); });
  if (below == geometry.rows.begin()) return std::nullopt;
  const auto row = std::prev(below);
  if (!row->contains(point)) return std::nullopt;
  return static_cast<std::size_t>(row - geometry.rows.begin());
}

}  // namespace heapscape::gui
