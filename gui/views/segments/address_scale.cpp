// SPDX-License-Identifier: MIT
#include "views/segments/address_scale.h"

#include <algorithm>
#include <cmath>

namespace heapscape::gui {

namespace {
/// Share of the width in which the segment's end stays visible however far one pans.
constexpr double kKeptInSight = 0.05;
}  // namespace

LaneView clamped(LaneView view, const ViewLimits& limits) {
  const double widest = std::max(limits.widestSpan, 1.0);
  view.span = std::clamp(view.span, std::min(limits.narrowestSpan, widest), widest);
  const double highest = std::min(widest - view.span, limits.ownSpan - view.span * kKeptInSight);
  view.offset = std::clamp(view.offset, 0.0, std::max(0.0, highest));
  return view;
}

LaneView zoomed(LaneView view, double factor, double share, const ViewLimits& limits) {
  const double kept = view.offset + view.span * share;
  const double widest = std::max(limits.widestSpan, 1.0);
  const double span = std::clamp(view.span * factor, std::min(limits.narrowestSpan, widest), widest);
  return clamped({kept - span * share, span}, limits);
}

LaneView panned(LaneView view, double share, const ViewLimits& limits) {
  return clamped({view.offset + view.span * share, view.span}, limits);
}

LaneView revealing(LaneView view, double offset, double bytes, const ViewLimits& limits) {
  const double room = view.span * 0.1;
  if (bytes + 2 * room >= view.span) return clamped({offset - room, view.span}, limits);
  if (offset - room < view.offset || offset + bytes + room > view.offset + view.span) {
    const bool isInside = offset >= view.offset && offset + bytes <= view.offset + view.span;
    if (!isInside) view.offset = offset + bytes / 2 - view.span / 2;
  }
  return clamped(view, limits);
}

AddressScale::AddressScale(engine::Address origin, LaneView view, double left, double width)
    : m_origin(origin), m_view(view), m_left(left), m_width(std::max(width, 1.0)) {
  m_view.span = std::max(m_view.span, 1e-3);
}

double AddressScale::xOf(engine::Address address) const {
  // The distance is signed: a selection may lie in front of the segment.
  const double offset =
      address >= m_origin ? static_cast<double>(address - m_origin) : -static_cast<double>(m_origin - address);
  return m_left + (offset - m_view.offset) / m_view.span * m_width;
}

engine::Address AddressScale::addressAt(double x) const {
  const double offset = m_view.offset + (x - m_left) / m_width * m_view.span;
  return m_origin + static_cast<std::uint64_t>(std::max(0.0, std::floor(offset + 1e-6)));
}

double AddressScale::bytesPerPixel() const {
  return m_view.span / m_width;
}

engine::AddressRange AddressScale::window() const {
  return {m_origin + static_cast<std::uint64_t>(std::max(0.0, std::floor(m_view.offset))),
          m_origin + static_cast<std::uint64_t>(std::max(0.0, std::ceil(m_view.offset + m_view.span)))};
}

std::vector<RulerTick> rulerTicks(const AddressScale& scale, double spacing) {
  std::vector<RulerTick> ticks;
  const double wanted = std::max(scale.bytesPerPixel() * std::max(spacing, 1.0), 1.0);
  std::uint64_t step = 8;
  while (static_cast<double>(step) < wanted && step < (1ull << 62)) step *= 2;
  const engine::AddressRange window = scale.window();
  for (std::uint64_t value = engine::alignUp(window.start.value, step); value < window.end.value; value += step) {
    const double x = scale.xOf({value});
    if (x >= scale.left() && x <= scale.right()) ticks.push_back({{value}, x});
    if (value > UINT64_MAX - step) break;
  }
  return ticks;
}

}  // namespace heapscape::gui
