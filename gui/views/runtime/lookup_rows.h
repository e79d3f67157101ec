// SPDX-License-Identifier: MIT
#pragma once

#include "models/rows/row_list.h"
#include "session/types/type_details.h"

namespace heapscape::gui {

/// Slots of a dictionary, with what the next lookup of each costs.
RowSchema<engine::DictionarySlot> dictionarySchema();
/// The dictionaries of parents, as a type uses them.
RowSchema<engine::InheritedLookups> inheritedSchema();
/// Instantiations of generic methods, with the state of their dictionaries.
RowSchema<engine::MethodLookups> methodLookupSchema();

/// How shared code of the type finds what depends on its arguments, and how far its dictionary has come: some lines.
/// Empty for a type whose code looks nothing up.
QString lookupText(const engine::TypeDetails& type);

}  // namespace heapscape::gui
