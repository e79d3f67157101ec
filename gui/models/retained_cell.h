// SPDX-License-Identifier: MIT
#pragma once

#include <QVariant>
#include <optional>

#include "session/snapshot.h"

namespace heapscape::gui {

/// What a cell says of what an object retains: "…" while it is not known, "not held" if nothing holds the object; empty
/// for no object.
QVariant retainedCell(const std::optional<engine::Snapshot>& snapshot, engine::Address object, int role);

}  // namespace heapscape::gui
