// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "session/types/type_details.h"
#include "widgets/fact_list.h"

namespace heapscape::gui {

/// Figures of a type that belong together.
struct FactGroup {
  QString heading;
  std::vector<Fact> facts;
};

/// Everything the type page says in figures (SOS: dumpmt, dumpclass).
std::vector<FactGroup> factGroups(const engine::TypeDetails& type);

}  // namespace heapscape::gui
