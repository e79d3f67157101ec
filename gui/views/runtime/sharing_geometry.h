// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <QSizeF>
#include <optional>
#include <vector>

#include "session/types/generics_query.h"

namespace heapscape::gui {

/// Instantiations that run the same code.
struct SharingGroup {
  QRectF box;      // around all of them, where they share
  QRectF heading;  // empty for an instantiation that has code of its own
  std::size_t first = 0;
  std::size_t count = 0;  // instantiations [first, first + count)
  bool isShared = false;
};

struct SharingGeometry {
  std::vector<SharingGroup> groups;
  std::vector<QRectF> rows;  // one an instantiation, in the definition's order
  QSizeF size;
};

/// One row for each instantiation; those with the same canonical method table lie in one box.
SharingGeometry layOutSharing(const engine::GenericDefinition& definition, double width, double line);

/// The instantiation at a point.
std::optional<std::size_t> instantiationAt(const SharingGeometry& geometry, QPointF point);

}  // namespace heapscape::gui
