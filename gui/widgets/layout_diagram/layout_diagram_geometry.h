// SPDX-License-Identifier: MIT
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "layout/layout_items.h"

namespace heapscape::gui {

inline constexpr std::int64_t kCacheLineBytes = 64;

/// Where a stretch of bytes crosses from one cache line to the next: the first such offset inside of it. Counted as if
/// the object began at a line, though objects are aligned to 8 only.
std::optional<std::int64_t> crossesCacheLine(std::int64_t begin, std::int64_t end);
/// The crossing of a field, element or repetition that is no longer than a line, which would fit into one; nothing for
/// all others.
std::optional<std::int64_t> straddles(const engine::LayoutItem& item);

/// Sizes in device-independent pixels that a diagram is laid out with.
struct DiagramMetrics {
  bool isBar = false;  // one long bar instead of rows of 8 bytes
  double byteWidth = 56;
  double lineHeight = 28;
  double captionHeight = 20;  // of an open value type, above its fields
  double inset = 3;           // of the fields in their frame
  double gap = 6;             // around the whole
  double gutterWidth = 64;    // for the offsets
  bool showsLevels = true;    // of inheritance
  double bracketWidth = 180;  // for them; below the bar, not beside it
  double rulerHeight = 20;    // above the bytes
  // Room that the name of a field wants in its box, to say beside the box what does not fit; empty: all names are
  // written into their boxes, fit or not.
  std::function<double(const engine::LayoutItem&)> nameWidth = {};
  double calloutHeight = 14;  // of a line of such names
  double calloutRoom = 0;     // right of the bytes, that they may run into
};

/// A line of the diagram: 8 bytes, or many alike folded into one.
struct DiagramRow {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  QRectF rect;
  bool isFolded = false;
};

/// Where an item is drawn: one rectangle for each row it has a part in. Outer ones come before what lies in them.
struct DiagramBox {
  std::uint32_t item = 0;
  std::vector<QRectF> parts;
  bool isOpen = false;
  bool isOverlapping = false;  // shares its bytes with a neighbour, so it has only a part of its rows' height
};

/// The name of a field whose box is too thin for it: below its row, at the end of a line that leads there.
struct DiagramCallout {
  std::uint32_t item = 0;
  QPointF from;  // in the box
  QPointF to;    // beside the name, or above it
  QRectF label;
};

/// An inheritance level: its line, and the room for its name.
struct DiagramBracket {
  std::size_t level = 0;
  QPointF from;
  QPointF to;
  QRectF label;
};

struct DiagramGeometry {
  std::vector<DiagramRow> rows;
  std::vector<DiagramBox> boxes;
  std::vector<DiagramCallout> callouts;
  std::vector<DiagramBracket> brackets;
  QRectF bytes;  // all rows
  QSizeF size;
};

/// Lays a diagram out. `isOpen`: by item. Fields that overlap stand one below the other in their rows and never hide
/// each other; rows that lie wholly inside one closed item are folded if there are many.
DiagramGeometry layOutDiagram(const engine::LayoutItems& items, const std::vector<bool>& isOpen,
                              const DiagramMetrics& metrics);

/// The height that each row needs so that nothing in it is squeezed.
std::vector<double> measureRows(const engine::LayoutItems& items, const std::vector<bool>& isOpen,
                                const std::vector<DiagramRow>& rows, const DiagramMetrics& metrics);
/// As layOutDiagram(), in rows and heights that are given: so several layouts can share them and be compared line by
/// line.
DiagramGeometry layOutInRows(const engine::LayoutItems& items, const std::vector<bool>& isOpen,
                             std::vector<DiagramRow> rows, const std::vector<double>& heights,
                             const DiagramMetrics& metrics);

/// The innermost box at a point, or nullptr.
const DiagramBox* boxAt(const DiagramGeometry& geometry, const QPointF& point);

inline constexpr std::int64_t kRowBytes = 8;

/// A layout, and which of its items are open.
struct DiagramSource {
  const engine::LayoutItems* items = nullptr;
  const std::vector<bool>* isOpen = nullptr;
  bool isChip = false;  // is drawn beside it already, so that only its name is shown
};

/// Divides the bytes into rows, those folded that hold neither a beginning nor an end of what is shown. Rectangles are
/// still empty. One row for a bar.
std::vector<DiagramRow> divideIntoRows(const engine::LayoutItems& items, const std::vector<bool>& isOpen, bool isBar);
/// Rows that serve all of them. At least one.
std::vector<DiagramRow> divideIntoRows(const std::vector<DiagramSource>& sources, bool isBar);

}  // namespace heapscape::gui
