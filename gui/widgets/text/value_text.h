// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include "values/value.h"

namespace heapscape::gui {

/// A field's name, or a path of them; of a property's own field ("<Id>k__BackingField") the property's.
QString fieldNameText(const std::string& name);

/// A value on one line: "42", "null", "\"text\"", of an object its type without namespaces. Never empty.
QString valueText(const engine::Value& value);
/// Its dimmed end: the address of an object.
QString valueSuffix(const engine::Value& value);
/// All that is known of it: the whole text, the object's type and address, why it is damaged.
QString valueTip(const engine::Value& value);
/// Damaged, or not to be trusted.
bool isDoubtful(const engine::Value& value);

}  // namespace heapscape::gui
