// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "values/value_reader.h"

namespace heapscape::engine {

/// What a reference leads to: a string's characters, an array's type with its lengths, a box's value where that holds
/// no references, of anything else the type's name.
Value referenceValue(const ValueReader& reader, Address object);

}  // namespace heapscape::engine
