// SPDX-License-Identifier: MIT
#pragma once

#include <QColor>

#include "layout/type_layout.h"

namespace heapscape::gui {

struct Colours;

/// Calm colours that are written on. What stands side by side is told apart with every kind of colour blindness, by how
/// light it is where its hue does not tell.
QColor fieldGround(engine::FieldKind kind, const Colours& colours);
QColor headerGround(const Colours& colours);
QColor methodTableGround(const Colours& colours);

/// Every other one of shapes that mean the same: narrow neighbours are two, and what means something else stays apart.
QColor everyOther(const QColor& colour, const Colours& colours);

}  // namespace heapscape::gui
