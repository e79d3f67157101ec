// SPDX-License-Identifier: MIT
#pragma once

#include "models/rows/row_list.h"
#include "session/types/type_details.h"

namespace heapscape::gui {

RowSchema<engine::TypeField> fieldSchema();
RowSchema<engine::TypeEnumMember> enumMemberSchema();

}  // namespace heapscape::gui
