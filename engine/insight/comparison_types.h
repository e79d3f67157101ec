// SPDX-License-Identifier: MIT
#pragma once

#include "insight/comparison.h"

namespace heapscape::engine {

/// All types of both, what grew most by bytes first.
std::vector<TypeChange> compareTypes(const Snapshot& before, const Snapshot& after);

}  // namespace heapscape::engine
