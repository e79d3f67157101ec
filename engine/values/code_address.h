// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "values/value.h"

namespace heapscape::engine {

/// A pointer or number and the managed method that begins there, as the text of a Value has them, parted by a space.
struct CodeAddress {
  std::string_view address;  // the whole text of all other values
  std::string_view method;   // "Shop.Rules.Check(System.Int32)"; empty if none begins there
};

/// Points into the value.
CodeAddress codeAddressOf(const Value& value);

}  // namespace heapscape::engine
