// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/address.h"

namespace heapscape::gui {

/// The part of a segment that its lane shows, in bytes from the segment's start. Zooming may put the edges between two
/// bytes.
struct LaneView {
  double offset = 0;
  double span = 0;
  bool operator==(const LaneView&) const = default;
};

/// How far a lane can be zoomed and panned, in bytes.
struct ViewLimits {
  double ownSpan = 0;     // what there is to see
  double widestSpan = 0;  // zoomed out; more than `ownSpan` where lanes share one scale
  double narrowestSpan = 0;
};

/// The nearest view within the limits: some of the segment always stays in sight.
LaneView clamped(LaneView view, const ViewLimits& limits);
/// Shows `factor` times as much (less than 1 zooms in); the byte under `share` of the width stays where it is.
LaneView zoomed(LaneView view, double factor, double share, const ViewLimits& limits);
/// Moves by a share of the width; positive shows higher addresses.
LaneView panned(LaneView view, double share, const ViewLimits& limits);
/// Moves as little as needed to show [offset, offset + bytes) with some room around it; keeps the span.
LaneView revealing(LaneView view, double offset, double bytes, const ViewLimits& limits);

/// Turns addresses into pixels of a lane and back.
class AddressScale {
 public:
  AddressScale() = default;
  AddressScale(engine::Address origin, LaneView view, double left, double width);

  double xOf(engine::Address address) const;
  /// The byte under x; addresses below the segment's start come out as its start.
  engine::Address addressAt(double x) const;
  double bytesPerPixel() const;
  double left() const { return m_left; }
  double right() const { return m_left + m_width; }
  /// The whole bytes that are in view.
  engine::AddressRange window() const;

 private:
  engine::Address m_origin;
  LaneView m_view;
  double m_left = 0;
  double m_width = 1;
};

struct RulerTick {
  engine::Address address;
  double x = 0;
};

/// Round addresses along the scale, at least `spacing` pixels apart; the step is a power of two.
std::vector<RulerTick> rulerTicks(const AddressScale& scale, double spacing);

}  // namespace heapscape::gui
