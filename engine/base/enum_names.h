// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

namespace heapscape::engine {

/// A member of an enum and the word that people and scripts read for it.
template <typename Enum>
struct EnumName {
  Enum value;
  const char* name;
};

/// The words of all members of `Enum`, each once, in the order in which they are listed. Specialised beside the enum:
///   template <>
///   inline constexpr auto kEnumNames<Side> =
///       std::to_array<EnumName<Side>>({{Side::Left, "left"}, {Side::Right, "right"}});
template <typename Enum>
inline constexpr auto kEnumNames = nullptr;

template <typename Enum>
concept NamedEnum =
    std::is_enum_v<Enum> && !std::is_same_v<std::remove_cv_t<decltype(kEnumNames<Enum>)>, std::nullptr_t>;

/// The word of `value`; "?" if it is none of the enum's members, as a damaged dump may have it.
template <NamedEnum Enum>
constexpr const char* toString(const Enum& value) {
  for (const EnumName<Enum>& member : kEnumNames<Enum>) {
    if (member.value == value) return member.name;
  }
  return "?";
}

/// Returns nullopt if `name` is the word of no member.
template <NamedEnum Enum>
constexpr std::optional<Enum> enumNamed(std::string_view name) {
  for (const EnumName<Enum>& member : kEnumNames<Enum>) {
    if (member.name == name) return member.value;
  }
  return std::nullopt;
}

/// All members, in the order of their words.
template <NamedEnum Enum>
constexpr auto membersOf() {
  std::array<Enum, kEnumNames<Enum>.size()> members{};
  for (std::size_t at = 0; at < members.size(); ++at) members[at] = kEnumNames<Enum>[at].value;
  return members;
}

}  // namespace heapscape::engine
