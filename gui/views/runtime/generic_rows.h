// SPDX-License-Identifier: MIT
#pragma once

#include "models/rows/row_list.h"
#include "session/types/generics_query.h"
#include "session/types/type_details.h"

namespace heapscape::gui {

/// Interfaces, or the instantiations that share a type's code: names that lead to types.
RowSchema<engine::TypeLink> typeLinkSchema(const QString& title);
RowSchema<engine::TypeArgument> typeArgumentSchema();
RowSchema<engine::GenericDefinition> genericSchema();

}  // namespace heapscape::gui
