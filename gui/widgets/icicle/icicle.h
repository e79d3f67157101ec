// SPDX-License-Identifier: MIT
#pragma once

#include <QBrush>
#include <QColor>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <cstdint>
#include <vector>

class QPainter;

namespace heapscape::gui {

/// A part of a whole, to be drawn below what it is a part of.
struct IcicleSpan {
  std::uint32_t shape = 0;  // whatever tells the parts from each other
  std::uint64_t first = 0;  // from the start of the whole
  std::uint64_t size = 0;
  std::uint32_t depth = 0;
  bool isDivided = false;  // there are parts of it
};

/// Where a part is drawn.
struct IcicleBox {
  std::uint32_t shape = 0;
  QRectF rect;
  bool isCut = false;  // it is divided further, but below the picture's end
};

/// The whole above, its parts below it side by side: as wide as they are large, to whole pixels. Boxes never overlap;
/// what would be less than a pixel wide, or lie below the picture's end, is left out.
std::vector<IcicleBox> icicleBoxes(const std::vector<IcicleSpan>& spans, std::uint64_t whole, QSizeF size,
                                   double rowHeight);

/// The words and colours of a box of an icicle.
struct IcicleLook {
  QBrush fill;
  QColor text;
  QString name;
  QString figure;         // at its right end, where there is room for both
  QColor plate = {};      // behind the text, where the fill has dots
  double belowLabel = 0;  // room at the bottom that the label keeps clear of
};

/// A line between neighbours, a label where it tells something; `line` is the colour of the dots below what is divided
/// further.
void paintIcicleBox(QPainter& painter, const IcicleBox& box, const IcicleLook& look, const QColor& line);

}  // namespace heapscape::gui
