// SPDX-License-Identifier: MIT
#include "values/code_address.h"

namespace heapscape::engine {

CodeAddress codeAddressOf(const Value& value) {
  const std::string_view text = value.text;
  const std::size_t space = value.pointed == PointedKind::Nothing ? std::string_view::npos : text.find(' ');
  if (space == std::string_view::npos) return {text, {}, {}};
  const std::string_view thing = text.substr(space + 1);
  return {text.substr(0, space), value.pointed == PointedKind::Code ? thing : std::string_view(), thing};
}

}  // namespace heapscape::engine
