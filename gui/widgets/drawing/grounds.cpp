// SPDX-License-Identifier: MIT
#include "widgets/drawing/grounds.h"

#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"

namespace heapscape::gui {

namespace {

constexpr double kEveryOther = 0.92;

/// How much of a colour its ground has, in each theme.
struct Share {
  double light;
  double dark;
  double contrast;
};

QColor ground(QColor colour, const Share& share, const Colours& colours) {
  colour.setAlpha(255);
  return mixed(colour, colours.surface(),
               colours.isContrast ? share.contrast
               : colours.isDark   ? share.dark
                                  : share.light);
}

}  // namespace

QColor fieldGround(engine::FieldKind kind, const Colours& colours) {
  switch (kind) {
    case engine::FieldKind::Reference:
      return ground(colours.of(kind), {0.5, 0.34, 0.5}, colours);
    case engine::FieldKind::ValueType:
      return ground(colours.of(kind), {0.4, 0.24, 0.42}, colours);
    case engine::FieldKind::Pointer:
    case engine::FieldKind::Primitive:
      break;
  }
  return ground(colours.of(kind), {0.34, 0.5, 0.34}, colours);
}

QColor headerGround(const Colours& colours) {
  return ground(colours.header(), {0.25, 0.7, 0.25}, colours);
}

QColor methodTableGround(const Colours& colours) {
  return ground(colours.methodTable(), {0.85, 0.9, 0.42}, colours);
}

QColor everyOther(const QColor& colour, const Colours& colours) {
  return mixed(colour, colours.surface(), kEveryOther);
}

}  // namespace heapscape::gui
