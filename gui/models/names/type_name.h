// SPDX-License-Identifier: MIT
#pragma once

#include <QColor>
#include <QString>
#include <QVariant>
#include <array>
#include <string>
#include <string_view>

#include "layout/code_owners.h"

namespace heapscape::gui {

struct Colours;

/// Characters of the namespace with its dot at the start of a full type name.
int namespaceLength(const std::string& typeName);

/// Data of a column with a type's full name in any role.
QVariant typeNameData(const std::string& typeName, int role);
/// How a cell that holds such a name is cut, in the roles that ask for that; nothing in all others.
QVariant cutTypeName(const QString& typeName, int role);
/// Data of plain text that may be cut.
QVariant textData(const std::string& text, int role);

/// Name of a root without namespaces: "static Program.orders" for "static Shop.Program.orders", "statics of Program".
QString shortRootName(const std::string& name);

/// Families of types with tints of their own in pictures; labels say the rest.
enum class TypeFamily { Program, Package, Framework, Arrays, Strings };
inline constexpr std::array kTypeFamilies{TypeFamily::Program, TypeFamily::Package, TypeFamily::Framework,
                                          TypeFamily::Arrays, TypeFamily::Strings};

/// Strings and arrays are families of their own, whoever's their elements are.
TypeFamily typeFamilyOf(std::string_view typeName, engine::CodeOwner owner);
/// Program, Package or Framework.
TypeFamily familyOf(engine::CodeOwner owner);
/// "Your code", "Packages", ".NET".
QString typeFamilyText(TypeFamily family);
QColor typeFamilyColour(TypeFamily family, const Colours& colours);

}  // namespace heapscape::gui
