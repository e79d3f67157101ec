// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace heapscape::engine {

/// A text about a thread or a collectible load context without what the program called it: these are strings of the
/// dump. `thread 5 "worker", rsp+0x20` becomes "thread 5, rsp+0x20", and "collectible plugin" "collectible context".
std::string withoutGivenName(std::string_view text);

/// withoutGivenName() if contents are to be left out, else the whole text.
inline std::string withoutGivenNameIf(bool isRedacted, std::string_view text) {
  return isRedacted ? withoutGivenName(text) : std::string(text);
}

}  // namespace heapscape::engine
