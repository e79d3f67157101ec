// SPDX-License-Identifier: MIT
#include "values/code_address.h"

namespace heapscape::engine {

CodeAddress codeAddressOf(const Value& value) {
  const bool isAddress = value.kind == ValueKind::Integer || value.kind == ValueKind::Pointer;
  const std::string_view text = value.text;
  const std::size_t space = isAddress ? text.find(' ') : std::string_view::npos;
  // Of a typed reference a type follows, " to T".
  if (space == std::string_view::npos || text.substr(space).starts_with(" to ")) return {text, {}};
  return {text.substr(0, space), text.substr(space + 1)};
}

}  // namespace heapscape::engine
