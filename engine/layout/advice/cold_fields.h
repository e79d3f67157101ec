// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "layout/advice/layout_advice.h"
#include "layout/rules/layout_rules.h"

namespace heapscape::engine {

/// Fields of a class that few objects use, moved into an object of their own.
struct ColdSplit {
  std::vector<std::string> fields;  // as metadata names them
  std::uint64_t instances = 0;
  std::uint64_t users = 0;       // objects that need the second one, at most
  bool isUsersExact = false;     // as it is for one field
  std::uint32_t savedBytes = 0;  // of every object
  std::uint32_t coldBytes = 0;   // of a second object
  std::int64_t savedInAll = 0;   // at least; always above 0
};

/// The split that saves most, of fields that at most a tenth of the objects use; nothing if none saves anything.
/// Fails as LayoutRules::placementOf does.
Result<std::optional<ColdSplit>> bestColdSplit(LayoutRules& rules, ClosedTypeId type, std::span<const FieldUse> use);

}  // namespace heapscape::engine
