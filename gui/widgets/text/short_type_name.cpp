// SPDX-License-Identifier: MIT
#include "widgets/text/short_type_name.h"

#include <string>

namespace heapscape::gui {

QString shortTypeName(std::string_view fullName) {
  std::string name;
  name.reserve(fullName.size());
  std::size_t wordStart = 0;
  for (std::size_t index = 0; index < fullName.size(); ++index) {
    const char letter = fullName[index];
    const bool isInnerDot = letter == '.' && name.size() > wordStart && index + 1 < fullName.size();
    if (isInnerDot) {
      name.resize(wordStart);
      continue;
    }
    name.push_back(letter);
    constexpr std::string_view kEnds = "<>,[]+&* ()";
    if (kEnds.find(letter) != std::string_view::npos) wordStart = name.size();
  }
  return QString::fromStdString(name);
}

}  // namespace heapscape::gui
