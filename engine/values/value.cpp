// SPDX-License-Identifier: MIT
#include "values/value.h"

#include <cstddef>

namespace heapscape::engine {

bool isContents(const Value& value) {
  return value.kind != ValueKind::Null && value.kind != ValueKind::Damaged;
}

}  // namespace heapscape::engine
