// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "models/rows/row_list.h"
#include "session/types/generics_query.h"
#include "session/types/type_details.h"
#include "widgets/fact_list.h"

namespace heapscape::gui {

RowSchema<engine::TypeField> fieldSchema();
RowSchema<engine::TypeEnumMember> enumMemberSchema();

/// Interfaces, or the instantiations that share a type's code: names that lead to types.
RowSchema<engine::TypeLink> typeLinkSchema(const QString& title);
RowSchema<engine::TypeArgument> typeArgumentSchema();
RowSchema<engine::GenericDefinition> genericSchema();

RowSchema<engine::TypeMethod> methodSchema();
/// Instantiations of generic methods.
RowSchema<engine::TypeMethod> instantiationSchema();

/// Slots of a dictionary, with what the next lookup of each costs.
RowSchema<engine::DictionarySlot> dictionarySchema();
/// The dictionaries of parents, as a type uses them.
RowSchema<engine::InheritedLookups> inheritedSchema();
/// Instantiations of generic methods, with the state of their dictionaries.
RowSchema<engine::MethodLookups> methodLookupSchema();

/// How shared code of the type finds what depends on its arguments, and how far its dictionary has come: some lines.
/// Empty for a type whose code looks nothing up.
QString lookupText(const engine::TypeDetails& type);

/// Figures of a type that belong together.
struct FactGroup {
  QString heading;
  std::vector<Fact> facts;
};

/// Everything the type page says in figures (SOS: dumpmt, dumpclass).
std::vector<FactGroup> factGroups(const engine::TypeDetails& type);

}  // namespace heapscape::gui
