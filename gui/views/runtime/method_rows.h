// SPDX-License-Identifier: MIT
#pragma once

#include "models/rows/row_list.h"
#include "session/types/type_details.h"

namespace heapscape::gui {

RowSchema<engine::TypeMethod> methodSchema();
/// Instantiations of generic methods.
RowSchema<engine::TypeMethod> instantiationSchema();

}  // namespace heapscape::gui
