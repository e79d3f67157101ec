// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "output/output.h"

namespace heapscape::engine {

/// Writes one line of tab-separated cells, each made printable.
void writeTsvLine(Output& output, const std::vector<std::string>& cells);

}  // namespace heapscape::engine
