// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace heapscape::engine {

/// UTF-8 of UTF-16 text; half a surrogate pair becomes U+FFFD.
std::string toUtf8(std::u16string_view text);

}  // namespace heapscape::engine
