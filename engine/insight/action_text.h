// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "insight/insight.h"

namespace heapscape::engine {

/// What to do, as a sentence that begins with its verb: "Trim 3 collections of List<Shop.Order>",
/// "Share equal strings: 1,100 texts, 15,000 strings". Without contents of strings.
std::string actionText(const InsightList& list, const InsightAction& action);

}  // namespace heapscape::engine
