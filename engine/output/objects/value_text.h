// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "output/output.h"
#include "values/value.h"

namespace heapscape::engine {

/// A value on one line: its text, for a reference with the object's address, for damage why.
std::string valueText(const Value& value, bool redact);

/// A table of fields or elements; what is nested is set in.
void writeFieldTable(Output& output, const std::vector<FieldValue>& fields, bool redact);

}  // namespace heapscape::engine
