// SPDX-License-Identifier: MIT
#pragma once

#include "values/value.h"

namespace heapscape::engine {

/// Whether a value refers to a String, whose text is all that there is to it. Other objects may be told by texts, too.
inline bool isStringObject(const Value& value) {
  return value.kind == ValueKind::Reference && value.isString && value.objectType == "System.String";
}

}  // namespace heapscape::engine
