// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <string_view>

namespace heapscape::gui {

/// A type's name without namespaces, its arguments' too: "Dictionary<String, Order>+Entry[]".
QString shortTypeName(std::string_view fullName);

}  // namespace heapscape::gui
