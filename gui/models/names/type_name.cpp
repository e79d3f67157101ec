// SPDX-License-Identifier: MIT
#include "models/names/type_name.h"

#include "models/cells/roles.h"
#include "session/types/type_query.h"
#include "widgets/drawing/colours.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {
namespace {

// Calm tints: size is what the pictures are about.
constexpr std::array<engine::Shades, kTypeFamilies.size()> kTints{{
    {0xff88CBB1, 0xff2F7A72, 0xff07FF79},
    {0xff8E7CC3, 0xff8C6AC8, 0xffEBAA00},
    {0xffAAB8EF, 0xff44528A, 0xffAFE5FF},
    {0xffF0E2B1, 0xff7A6A33, 0xffEAFFDA},
    {0xffBC8492, 0xffA24462, 0xffFF7A80},
}};

}  // namespace

int namespaceLength(const std::string& typeName) {
  const std::string_view nameSpace = engine::namespaceOf(typeName);
  // In characters, not bytes: names may hold any letter.
  return nameSpace.empty() ? 0 : static_cast<int>(fromEngine(std::string(nameSpace)).size()) + 1;
}

QVariant typeNameData(const std::string& typeName, int role) {
  if (role == kDimmedPrefixRole) return namespaceLength(typeName);
  if (role == kShortNameRole) return shortTypeName(typeName);
  return textData(typeName, role);
}

QVariant cutTypeName(const QString& typeName, int role) {
  const bool isAsked = role == kDimmedPrefixRole || role == kShortNameRole;
  return isAsked ? typeNameData(typeName.toStdString(), role) : QVariant();
}

QVariant textData(const std::string& text, int role) {
  if (role == Qt::DisplayRole || role == Qt::ToolTipRole || role == kPlainRole) return fromEngine(text);
  return {};
}

QString shortRootName(const std::string& name) {
  constexpr std::string_view kField = "static ", kFields = "statics of ";
  if (name.starts_with(kFields)) return fromEngine(std::string(kFields)) + shortTypeName(name.substr(kFields.size()));
  if (!name.starts_with(kField)) return givenNameText(name);
  // The last dot that is in no brackets stands before the field.
  int depth = 0;
  for (std::size_t at = name.size(); at-- > kField.size();) {
    depth += name[at] == '>' ? 1 : name[at] == '<' ? -1 : 0;
    if (depth > 0 || name[at] != '.') continue;
    const std::string_view type = std::string_view(name).substr(kField.size(), at - kField.size());
    return fromEngine(std::string(kField)) + shortTypeName(type) + fromEngine(name.substr(at));
  }
  return fromEngine(name);
}

TypeFamily familyOf(engine::CodeOwner owner) {
  switch (owner) {
    case engine::CodeOwner::Own:
      return TypeFamily::Program;
    case engine::CodeOwner::Package:
      return TypeFamily::Package;
    case engine::CodeOwner::Framework:
      break;
  }
  return TypeFamily::Framework;
}

TypeFamily typeFamilyOf(std::string_view typeName, engine::CodeOwner owner) {
  if (typeName == "System.String") return TypeFamily::Strings;
  if (typeName.ends_with(']')) return TypeFamily::Arrays;
  return familyOf(owner);
}

QString typeFamilyText(TypeFamily family) {
  switch (family) {
    case TypeFamily::Program:
      return u"Your code"_s;
    case TypeFamily::Package:
      return u"Packages"_s;
    case TypeFamily::Framework:
      return u".NET"_s;
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
