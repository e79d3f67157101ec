// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace heapscape::engine {

/// UTF-16 text between double quotes with the escapes of C#: control characters and halves of surrogate pairs too.
std::string quotedText(std::u16string_view text);
/// The same behind what is there already.
void addQuoted(std::string& line, std::u16string_view text);
/// One UTF-16 unit between single quotes, with the same escapes.
std::string quotedCharacter(char16_t unit);

}  // namespace heapscape::engine
