// SPDX-License-Identifier: MIT
#pragma once

#include "models/rows/row_list.h"
#include "session/roots/roots_query.h"

namespace heapscape::gui {

constexpr int kRootAloneColumn = 2;

QString rootKindText(engine::RootKind kind);
/// How all roots are listed, one by one.
RowSchema<engine::HeldRoot> rootSchema();

}  // namespace heapscape::gui
