// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "layout/type_layout.h"

namespace heapscape::engine {

enum class FieldChange : std::uint8_t { Same, Moved, Resized, Retyped, Added, Removed };
template <>
inline constexpr auto kEnumNames<FieldChange> = std::to_array<EnumName<FieldChange>>({{FieldChange::Same, "same"},
                                                                                      {FieldChange::Moved, "moved"},
                                                                                      {FieldChange::Resized, "resized"},
                                                                                      {FieldChange::Retyped, "retyped"},
                                                                                      {FieldChange::Added, "added"},
                                                                                      {FieldChange::Removed,
                                                                                       "removed"}});

/// One field in two layouts of a type: matched by declaring type and name.
struct FieldDifference {
  std::string declaringType;
  std::string name;
  FieldChange change = FieldChange::Same;  // the gravest that applies
  std::optional<std::uint32_t> offsetBefore, offsetAfter;
  std::optional<std::uint32_t> sizeBefore, sizeAfter;
  std::string typeBefore, typeAfter;
};

/// Differences between two layouts of one type, by offset after, removed fields last. Fields inside value types are
/// listed only where they differ, as "outer.inner"; they have moved if they have inside that value. Of arrays of value
/// types the fields are those of an element.
struct LayoutDifference {
  bool isSame = true;              // sizes, fields, paddings and references
  std::int64_t instanceBytes = 0;  // after − before, of a unit
  std::int64_t paddingBytes = 0;
  bool kindChanged = false;  // auto, sequential or explicit
  std::vector<FieldDifference> fields;
};

LayoutDifference compareLayouts(const TypeLayout& before, const TypeLayout& after);

}  // namespace heapscape::engine
