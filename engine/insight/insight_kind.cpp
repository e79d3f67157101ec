// SPDX-License-Identifier: MIT
#include <array>

#include "insight/insight.h"

namespace heapscape::engine {
namespace {

// In the order of InsightKind.
constexpr std::array<const char*, 21> kKindNames{
    "duplicateStrings", "boxedValues",          "emptyArrays",           "uniformArrays", "sparseArrays",
    "emptyCollections", "oversizedCollections", "oneElementCollections", "poorHashing",   "paddingWaste",
    "smallObjects",     "singleFieldWrappers",  "delegateLeak",          "timerLeak",     "undisposedFinalizables",
    "finalizerBehind",  "pendingAsync",         "stuckLoadContext",      "genericGrowth", "fragmentation",
    "suspect"};
static_assert(static_cast<std::size_t>(InsightKind::Suspect) + 1 == kKindNames.size());

}  // namespace

const char* toString(InsightKind kind) {
  return kKindNames[static_cast<std::size_t>(kind)];
}

std::optional<InsightKind> insightKindOf(std::string_view name) {
  for (std::size_t i = 0; i < kKindNames.size(); ++i) {
    if (kKindNames[i] == name) return static_cast<InsightKind>(i);
  }
  return std::nullopt;
}

const char* toString(InsightMeaning meaning) {
  switch (meaning) {
    case InsightMeaning::Waste:
      return "waste";
    case InsightMeaning::Leak:
      return "leak";
    case InsightMeaning::Held:
      return "held";
  }
  return "";
}

}  // namespace heapscape::engine
