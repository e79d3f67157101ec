// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include "models/rows/row_list.h"
#include "session/roots/handles_query.h"
#include "session/roots/roots_query.h"

namespace heapscape::gui {

constexpr int kRootAloneColumn = 2;

QString rootKindText(engine::RootKind kind);
/// How all roots are listed, one by one.
RowSchema<engine::HeldRoot> rootSchema();

RowSchema<engine::FinalizerRow> finalizerSchema();

/// "Strong", "Weak, tracks resurrection".
QString handleKindText(engine::HandleKind kind);

RowSchema<engine::HandleRow> handleSchema();

}  // namespace heapscape::gui
