// SPDX-License-Identifier: MIT
#pragma once

#include "insight/comparison/comparison.h"

namespace heapscape::engine {

/// Tells new types what they may have been, see TypeChange::perhapsWas.
void guessMovedTypes(std::vector<TypeChange>& types);

/// All types of both, what grew most by bytes first.
std::vector<TypeChange> compareTypes(const Snapshot& before, const Snapshot& after);

}  // namespace heapscape::engine
