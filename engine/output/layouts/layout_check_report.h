// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "output/json_writer.h"
#include "output/output.h"
#include "session/layouts/layout_check.h"

namespace heapscape::engine {

/// A member {compared, equal, different, notComputed}.
void writeLayoutCheck(JsonWriter& json, std::string_view name, const LayoutCheck& check);
/// "Layouts: 512 of 512 types as the rules give them."
std::string summaryOf(const LayoutCheck& check);
/// The summary and what is different or could not be computed, `limit` of each.
void writeLayoutCheck(Output& output, const LayoutCheck& check, std::size_t limit);

}  // namespace heapscape::engine
