// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <string>

#include "output/output.h"

namespace heapscape::engine {

/// Writes one line of tab-separated cells, each made printable.
void writeTsvLine(Output& output, std::initializer_list<std::string> cells);

}  // namespace heapscape::engine
