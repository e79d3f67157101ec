// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include "models/rows/row_list.h"
#include "session/roots/handles_query.h"

namespace heapscape::gui {

/// "Strong", "Weak, tracks resurrection".
QString handleKindText(engine::HandleKind kind);

RowSchema<engine::HandleRow> handleSchema();

}  // namespace heapscape::gui
