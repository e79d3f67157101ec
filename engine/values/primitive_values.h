// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "metadata/signature.h"
#include "values/value.h"

namespace heapscape::engine {

/// UTF-16 text between double quotes with the escapes of C#: control characters and halves of surrogate pairs too.
std::string quotedText(std::u16string_view text);
/// Adds quotedText() to what is there already.
void addQuoted(std::string& line, std::u16string_view text);
/// One UTF-16 unit between single quotes, with the same escapes.
std::string quotedCharacter(char16_t unit);

/// The value of a primitive from its bytes, which lie in the low end of `bits`; Damaged for what is no primitive.
Value primitiveValue(ElementType element, std::uint64_t bits);

/// Adds to a text what primitiveValue() makes of an integer, or of a real that is a small whole number: without a
/// Value. False, and nothing added, for all others.
bool tryAddNumber(std::string& text, ElementType element, std::uint64_t bits);

/// The bits as a number of the element's width with its sign, "-1"; empty for what is no integer.
std::string integerText(ElementType element, std::uint64_t bits);

/// Shortest text that reads back as the same number, in the form of .NET's invariant culture: "1.5", "1E-05", "NaN".
std::string realText(double value);
std::string realText(float value);
/// The text of the 16 bits of a System.Half, as realText() has it.
std::string halfText(std::uint16_t bits);

}  // namespace heapscape::engine
