// SPDX-License-Identifier: MIT
#include "models/names/type_family.h"

#include <QObject>

#include "session/types/type_query.h"
#include "widgets/drawing/colours.h"

namespace heapscape::gui {

namespace {

// Calm tints: size is what the pictures are about.
constexpr std::array<engine::Shades, kTypeFamilies.size()> kTints{{
    {0xff88CBB1, 0xff2F7A72, 0xff07FF79},
    {0xffAAB8EF, 0xff44528A, 0xffAFE5FF},
    {0xffF0E2B1, 0xff7A6A33, 0xffEAFFDA},
    {0xffBC8492, 0xffA24462, 0xffFF7A80},
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
      return u"Own types"_s;
    case TypeFamily::Framework:
      return u"Types of .NET"_s;
    case TypeFamily::Arrays:
      return u"Arrays"_s;
    case TypeFamily::Strings:
      break;
  }
  return u"Strings"_s;
}

QColor typeFamilyColour(TypeFamily family, const Colours& colours) {
  return colours.in(kTints[static_cast<std::size_t>(family)]);
}

}  // namespace heapscape::gui
