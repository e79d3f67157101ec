// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "tables/cell.h"
#include "values/value.h"

namespace heapscape::engine {

/// A value as people read it: with the method that a pointer leads to, and why it cannot be read.
std::string valueLine(const Value& value);
/// The line without contents: of an object its type, of other contents nothing.
Cell redactedValueLine(const Value& value);

}  // namespace heapscape::engine
