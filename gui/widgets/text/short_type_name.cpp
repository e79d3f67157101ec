// SPDX-License-Identifier: MIT
#include "widgets/text/short_type_name.h"

#include "base/short_type_name.h"

namespace heapscape::gui {

QString shortTypeName(std::string_view fullName) {
  return QString::fromStdString(engine::shortTypeName(fullName));
}

}  // namespace heapscape::gui
