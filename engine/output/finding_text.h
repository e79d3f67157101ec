// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "base/finding.h"
#include "output/output.h"

namespace heapscape::engine {

/// A line for each of at most `limit` findings, and one for how many more there are, with those that were not kept;
/// nothing if there are none.
void writeFindingsText(Output& output, const std::vector<Finding>& findings, std::size_t leftOut, std::size_t limit);

}  // namespace heapscape::engine
