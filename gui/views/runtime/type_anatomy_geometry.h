// SPDX-License-Identifier: MIT
#pragma once

#include <QPolygonF>
#include <QRectF>
#include <QSizeF>
#include <optional>
#include <vector>

#include "session/types/type_details.h"

namespace heapscape::gui {

/// Sizes that follow from the font.
struct TypeAnatomyScale {
  double line = 20;
  double width = 220;   // of a column
  double between = 48;  // columns, with room for arrows
  double gap = 12;      // between blocks of a column
  double margin = 12;
};

/// A part of a type's runtime structures.
struct TypeAnatomyPart {
  QRectF box;
  QRectF title;  // name, and at its right the size
  QRectF address;
  QRectF note;           // empty if there is none
  std::size_t part = 0;  // index in TypeDetails::parts
};

/// Parts that lie behind one another in memory.
struct TypeAnatomyBlock {
  QRectF box;
  std::vector<TypeAnatomyPart> parts;
};

/// An object of the type, its method table, and what that points to.
struct TypeAnatomyGeometry {
  QRectF object;         // empty for types without objects
  QRectF objectPointer;  // the line in it that holds the method table pointer
  QRectF objectFields;
  std::vector<TypeAnatomyBlock> blocks;  // that of the method table first
  std::vector<QPolygonF> arrows;         // the last point is the tip
  QSizeF size;
};

TypeAnatomyGeometry layOutTypeAnatomy(const engine::TypeDetails& type, bool hasObject, const TypeAnatomyScale& scale);

/// The part at a point: its index in TypeDetails::parts.
std::optional<std::size_t> typeAnatomyPartAt(const TypeAnatomyGeometry& geometry, QPointF point);

}  // namespace heapscape::gui
