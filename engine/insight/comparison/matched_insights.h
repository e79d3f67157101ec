// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>

#include "insight/insight.h"

namespace heapscape::engine {

/// What insights of several dumps are told to be the same by.
struct InsightKey {
  InsightKind kind = InsightKind::Suspect;
  std::string subject;
  std::string contents;  // of strings
  auto operator<=>(const InsightKey&) const = default;
};

/// What one dump says of it.
struct InsightFigures {
  InsightMeaning meaning = InsightMeaning::Waste;
  std::string title;
  std::uint64_t bytes = 0, objects = 0;
};

/// Those of one key added up.
std::map<InsightKey, InsightFigures> insightFiguresOf(const InsightList& list);

}  // namespace heapscape::engine
