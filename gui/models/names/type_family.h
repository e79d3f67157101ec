// SPDX-License-Identifier: MIT
#pragma once

#include <QColor>
#include <array>
#include <string_view>

namespace heapscape::gui {

struct Colours;

/// Families of types with tints of their own in pictures; labels say the rest.
enum class TypeFamily { Program, Framework, Arrays, Strings };
inline constexpr std::array kTypeFamilies{TypeFamily::Program, TypeFamily::Framework, TypeFamily::Arrays,
                                          TypeFamily::Strings};

TypeFamily typeFamilyOf(std::string_view typeName);
/// Family of a namespace: Program or Framework.
TypeFamily namespaceFamilyOf(std::string_view nameSpace);
/// "Own types".
QString typeFamilyText(TypeFamily family);
QColor typeFamilyColour(TypeFamily family, const Colours& colours);

}  // namespace heapscape::gui
