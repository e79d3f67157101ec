// SPDX-License-Identifier: MIT
#include "models/names/type_family.h"

#include <QObject>

#include "session/types/type_query.h"
#include "widgets/drawing/colours.h"

namespace heapscape::gui {

namespace {

struct Pair {
  QRgb light;
  QRgb dark;
};

// Calm tints: size is what the pictures are about.
constexpr std::array<Pair, kTypeFamilies.size()> kTints{{
    {0xff9CC9C4, 0xff2F6E69},
    {0xffB9C4E4, 0xff44527E},
    {0xffE6D3A3, 0xff6E5F33},
    {0xffE3BBC6, 0xff753F52},
}};

}  // namespace

TypeFamily namespaceFamilyOf(std::string_view nameSpace) {
  for (const std::string_view part : {"System", "Microsoft", "Internal", "Interop"}) {
    const bool isIt = nameSpace.starts_with(part) && (nameSpace.size() == part.size() || nameSpace[part.size()] == '.');
    if (isIt) return TypeFamily::Framework;
  }
  return TypeFamily::Program;
}

TypeFamily typeFamilyOf(std::string_view typeName) {
  if (typeName == "System.String") return TypeFamily::Strings;
  if (typeName.ends_with(']')) return TypeFamily::Arrays;
  return namespaceFamilyOf(engine::namespaceOf(typeName));
}

QString typeFamilyText(TypeFamily family) {
  switch (family) {
    case TypeFamily::Program:
      return QStringLiteral("Own types");
    case TypeFamily::Framework:
      return QStringLiteral("Types of .NET");
    case TypeFamily::Arrays:
      return QStringLiteral("Arrays");
    case TypeFamily::Strings:
      break;
  }
  return QStringLiteral("Strings");
}

QColor typeFamilyColour(TypeFamily family, const Colours& colours) {
  const Pair tint = kTints[static_cast<std::size_t>(family)];
  return QColor::fromRgb(colours.isDark ? tint.dark : tint.light);
}

}  // namespace heapscape::gui
