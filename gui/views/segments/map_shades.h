// SPDX-License-Identifier: MIT
#pragma once

#include <QBrush>
#include <QString>
#include <vector>

#include "session/heap/map_colours.h"
#include "widgets/drawing/colours.h"

namespace heapscape::gui {

/// Name of a colouring in the choice of them.
QString colouringText(engine::MapColouring colouring);

/// A colour of the map: what it means, and what it is painted with.
struct MapShade {
  QString text;  // for the legend
  QBrush brush;
  QBrush pale;             // where others are highlighted
  QColor ground;           // behind text on it
  bool isPattern = false;  // text needs a plate
};

/// The shades of a colouring, by the number of the colour. `map`: null for the generations.
std::vector<MapShade> mapShades(const engine::MapColours* map, const engine::Snapshot& snapshot,
                                const Colours& colours);

/// The colours of the largest types, then that of all others; for the legend and for who checks them.
std::vector<QColor> typeShadeColours(const Colours& colours);

/// What is hatched as garbage: objects that no root leads to.
QBrush garbageBrush(const Colours& colours);

}  // namespace heapscape::gui
