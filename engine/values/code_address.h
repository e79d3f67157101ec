// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "values/value.h"

namespace heapscape::engine {

/// A pointer and what it leads to, as the text of a Value has them, parted by a space.
struct CodeAddress {
  std::string_view address;  // the whole text of all other values
  std::string_view method;   // "Shop.Rules.Check(System.Int32)"; empty if no method's code begins there
  std::string_view thing;    // the same, or what else lies there: "type Shop.Order"; empty if that is not known
};

/// Points into the value.
CodeAddress codeAddressOf(const Value& value);

}  // namespace heapscape::engine
