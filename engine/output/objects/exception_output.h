// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "output/json_writer.h"
#include "output/output.h"
#include "values/reading/exception_details.h"

namespace heapscape::engine {

/// Writes the members of an object that an exception is: what it says, `stack`, and `causes` with the same. With
/// `redact` no text that the program has made.
void writeExceptionMembers(JsonWriter& json, const ExceptionDetails& exception, bool redact);
/// Writes the array of an exception's frames, innermost first.
void writeExceptionFrames(JsonWriter& json, const ExceptionDetails& exception);

/// For people: facts, frames, and below them each cause in the same way.
void writeExceptionText(Output& output, const ExceptionDetails& exception, bool redact);
/// The frames alone, a line each, as .NET writes them: "Shop.Pay(System.Int32) + 0x1a  /src/shop.cs:12", and a line
/// where an earlier trace ends.
std::vector<std::string> exceptionStackLines(const ExceptionDetails& exception);

}  // namespace heapscape::engine
