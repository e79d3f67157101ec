// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/architecture.h"
#include "base/enum_names.h"

namespace heapscape::engine {

/// By which rules a type is laid out. All but Actual are computed from metadata.
enum class RuleSet : std::uint8_t {
  Actual,      // as the runtime of a dump did it
  Declared,    // as the type declares
  Auto,        // as if it declared LayoutKind.Auto
  Sequential,  // as if it declared LayoutKind.Sequential, with the Pack and Size that it has; the runtime may still not
               // follow
  Best,        // the fewest bytes that an order of the fields and an attribute can give
  Classic,     // as declared, by the rules before .NET 7: every struct field of an auto type on a pointer boundary
};
template <>
inline constexpr auto kEnumNames<RuleSet> = std::to_array<EnumName<RuleSet>>({{RuleSet::Actual, "actual"},
                                                                              {RuleSet::Declared, "declared"},
                                                                              {RuleSet::Auto, "auto"},
                                                                              {RuleSet::Sequential, "sequential"},
                                                                              {RuleSet::Best, "best"},
                                                                              {RuleSet::Classic, "classic"}});

/// The runtime that a layout is computed for.
struct LayoutRuntime {
  std::uint32_t majorVersion = 10;     // 8 to 11; older and newer ones by the nearest
  std::uint32_t vectorBytes = 32;      // of Vector<T>, the machine's
  std::uint32_t vectorAlignment = 64;  // the most that Vector256<T> and Vector512<T> are aligned to
  bool classicStructs = false;         // rules before .NET 7

  /// Of the newest runtime on a processor: arm64 has vectors of 16 bytes (measured on .NET 9 and 10;
  /// CheckForSystemTypes, src/coreclr/vm/methodtablebuilder.cpp).
  static constexpr LayoutRuntime of(Architecture architecture) {
    if (architecture == Architecture::Arm64) return {.vectorBytes = 16, .vectorAlignment = 16};
    return {};
  }
};

}  // namespace heapscape::engine
