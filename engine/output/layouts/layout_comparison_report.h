// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "output/json_writer.h"
#include "output/output.h"
#include "session/layouts/layout_comparison.h"

namespace heapscape::engine {

/// The member `comparison`; `limit`: at most so many changed, added and removed types each.
void writeLayoutComparison(JsonWriter& json, const LayoutComparison& comparison, std::size_t limit);
void writeLayoutComparison(Output& output, const LayoutComparison& comparison, std::size_t limit);

}  // namespace heapscape::engine
