// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_colours.h"

#include <QObject>
#include <string_view>

#include "models/names/type_family.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/grounds.h"
#include "widgets/drawing/marks.h"

namespace heapscape::gui {
namespace {

DominatorFamily familyOf(TypeFamily family) {
  return static_cast<DominatorFamily>(static_cast<int>(family) + 1);
}

TypeFamily familyOf(DominatorFamily family) {
  return static_cast<TypeFamily>(static_cast<int>(family) - 1);
}

}  // namespace

DominatorFamily dominatorFamily(const engine::DominatorNode& node) {
  const std::string_view name = node.name;
  switch (node.kind) {
    case engine::DominatorKind::Whole:
    case engine::DominatorKind::RootGroup:
    case engine::DominatorKind::Root:
    case engine::DominatorKind::Set:
      return DominatorFamily::Roots;
    case engine::DominatorKind::Namespace:
      return familyOf(namespaceFamilyOf(name));
    case engine::DominatorKind::Object:
    case engine::DominatorKind::Type:
      break;
  }
  return familyOf(typeFamilyOf(name));
}

QString dominatorFamilyText(DominatorFamily family) {
  return family == DominatorFamily::Roots ? QStringLiteral("Roots") : typeFamilyText(familyOf(family));
}

QColor dominatorColour(DominatorFamily family, const Colours& colours) {
  if (family == DominatorFamily::Roots) return colours.in({0xffDDE1E7, 0xff2F363F, 0xffA8A8AE});
  return typeFamilyColour(familyOf(family), colours);
}

QColor dominatorColour(const engine::DominatorShape& shape, const Colours& colours) {
  const QColor colour = dominatorColour(dominatorFamily(shape.node), colours);
  return shape.node.node % 2 ? everyOther(colour, colours) : colour;
}

QColor rootSeamColour(const QColor& text, const QColor& fill, const Colours& colours) {
  constexpr double kCalm = 0.6;
  return mixed(text, fill, colours.isContrast ? 1 : kCalm);
}

}  // namespace heapscape::gui
