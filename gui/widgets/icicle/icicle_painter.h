// SPDX-License-Identifier: MIT
#pragma once

#include <QBrush>
#include <QColor>
#include <QString>

#include "widgets/icicle/icicle_geometry.h"

class QPainter;

namespace heapscape::gui {

/// What a box of an icicle says and in which colours.
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
