// SPDX-License-Identifier: MIT
#pragma once

#include "layout/type_layout.h"
#include "metadata/metadata.h"

namespace heapscape::engine {

/// TypeAttributes (ECMA-335 II.23.1.15).
namespace typeFlags {
inline constexpr std::uint32_t kInterface = 0x20;
inline constexpr std::uint32_t kAbstract = 0x80;
inline constexpr std::uint32_t kStringFormatMask = 0x30000;  // 0: AnsiClass
}  // namespace typeFlags

/// FieldAttributes (II.23.1.5).
namespace fieldFlags {
inline constexpr std::uint16_t kStatic = 0x10;
inline constexpr std::uint16_t kLiteral = 0x40;
inline constexpr std::uint16_t kHasFieldMarshal = 0x1000;
}  // namespace fieldFlags

inline bool isInstanceField(const FieldRow& field) {
  return (field.flags & (fieldFlags::kStatic | fieldFlags::kLiteral)) == 0;
}

}  // namespace heapscape::engine
