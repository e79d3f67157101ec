// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_colours.h"

#include <string_view>

#include "session/type_query.h"
#include "widgets/colours.h"
#include "widgets/hatch.h"

namespace heapscape::gui {
namespace {

struct Pair {
  QRgb light;
  QRgb dark;
};

// By family. Calm tints: size is what the pictures are about.
constexpr std::array<Pair, 5> kTints{{
    {0xffD3D8DF, 0xff3F4650},
    {0xff9CC9C4, 0xff2F6E69},
    {0xffB9C4E4, 0xff44527E},
    {0xffE6D3A3, 0xff6E5F33},
    {0xffE3BBC6, 0xff753F52},
}};
constexpr double kPaler = 0.86;

bool isFramework(std::string_view name) {
  for (const std::string_view part : {"System", "Microsoft", "Internal", "Interop"}) {
    if (name.starts_with(part) && (name.size() == part.size() || name[part.size()] == '.')) return true;
  }
  return false;
}

}  // namespace

DominatorFamily dominatorFamily(const engine::DominatorNode& node) {
  const std::string_view name = node.name;
  switch (node.kind) {
    case engine::DominatorKind::Whole:
    case engine::DominatorKind::RootGroup:
    case engine::DominatorKind::Root:
      return DominatorFamily::Roots;
    case engine::DominatorKind::Namespace:
      return isFramework(name) ? DominatorFamily::Framework : DominatorFamily::Program;
    case engine::DominatorKind::Object:
    case engine::DominatorKind::Type:
      break;
  }
  if (name == "System.String") return DominatorFamily::Strings;
  if (name.ends_with(']')) return DominatorFamily::Arrays;
  return isFramework(engine::namespaceOf(name)) ? DominatorFamily::Framework : DominatorFamily::Program;
}

QColor dominatorColour(DominatorFamily family, const Colours& colours) {
  const Pair tint = kTints[static_cast<std::size_t>(family)];
  return QColor::fromRgb(colours.isDark ? tint.dark : tint.light);
}

QColor dominatorColour(const engine::DominatorShape& shape, const Colours& colours) {
  const QColor colour = dominatorColour(dominatorFamily(shape.node), colours);
  return shape.node.node % 2 ? mixed(colour, colours.surface(), kPaler) : colour;
}

}  // namespace heapscape::gui
