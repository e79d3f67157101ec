// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "values/reading/value_reader.h"

namespace heapscape::engine {

/// What a reference leads to: a string's characters, an array's type with its lengths, what a box or an object that
/// people read as one thing holds, of anything else the type's name. `references`: that were followed before this one.
Value referenceValue(const ValueReader& reader, Address object, std::size_t references = 0);

}  // namespace heapscape::engine
