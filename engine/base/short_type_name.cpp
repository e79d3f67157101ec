// SPDX-License-Identifier: MIT
#include "base/short_type_name.h"

namespace heapscape::engine {

std::string shortTypeName(std::string_view typeName) {
  constexpr std::string_view kEnds = "<>,[]+&* ()";
  std::string name;
  name.reserve(typeName.size());
  std::size_t wordStart = 0;
  for (std::size_t index = 0; index < typeName.size(); ++index) {
    const char letter = typeName[index];
    const bool isInnerDot = letter == '.' && name.size() > wordStart && index + 1 < typeName.size();
    if (isInnerDot) {
      name.resize(wordStart);
      continue;
    }
    name.push_back(letter);
    if (kEnds.find(letter) != std::string_view::npos) wordStart = name.size();
  }
  return name;
}

}  // namespace heapscape::engine
