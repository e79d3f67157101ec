// SPDX-License-Identifier: MIT
#pragma once

#include <elfutils/libdw.h>

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace heapscape::engine {

/// Texts in debugging information. libdw hands them out as they lie in the file, and they end where a zero is, which a
/// damaged file may have cut off.
class DwarfTexts {
 public:
  /// Fails with Damaged where a section of texts does not end with one, so that libdw itself would read on behind it.
  static Result<DwarfTexts> of(Dwarf* dwarf);

  /// Empty unless the text lies in the file, with its end.
  std::string_view text(const char* start) const;
  /// That of an attribute; empty if there is none.
  std::string_view text(Dwarf_Die& die, unsigned attribute) const;

 private:
  std::vector<std::span<const char>> m_sections;
};

/// The unit of a program's debugging information that the compiler of managed code wrote; nullopt if there is none.
std::optional<Dwarf_Die> managedUnitOf(Dwarf* dwarf, const DwarfTexts& texts);

}  // namespace heapscape::engine
