// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "output/json_writer.h"
#include "output/output.h"
#include "values/value.h"

namespace heapscape::engine {

/// Members of the object that is open: `kind`, `value` (a number or truth as such, null, else text), for references
/// `object` and `objectType`, for pointers `pointsTo`, `meaning` and `target` if it is known what they lead to, and
/// `damage` if there is any. With `redact` characters of strings are left out, and
/// `redacted` says so.
void writeValueMembers(JsonWriter& json, const Value& value, bool redact);

/// Writes the members of a value but `kind`.
void writeWhatItIs(JsonWriter& json, const Value& value, bool redact);

/// One object for a field or element, with what is nested in it.
void writeFieldValue(JsonWriter& json, const FieldValue& field, bool redact);

/// A member that holds an array of them.
void writeFieldValues(JsonWriter& json, std::string_view name, const std::vector<FieldValue>& fields, bool redact);

/// A value on one line: its text, for a reference with the object's address, for damage why.
std::string valueText(const Value& value, bool redact);

/// A table of fields or elements; what is nested is set in.
void writeFieldTable(Output& output, const std::vector<FieldValue>& fields, bool redact);

}  // namespace heapscape::engine
