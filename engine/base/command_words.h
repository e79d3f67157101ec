// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heapscape::engine {

/// The last word of a line of commands: what stands behind the last blank that is in no quotation marks.
std::string_view lastWordOf(std::string_view line);

/// What all of these begin with, in whole characters.
std::string commonBeginning(std::span<const std::string> words);

}  // namespace heapscape::engine
