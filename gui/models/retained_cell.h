// SPDX-License-Identifier: MIT
#pragma once

#include <QVariant>
#include <optional>

#include "session/snapshot/snapshot.h"

namespace heapscape::gui {

/// Text for a figure that is not known, whether it is still to come or not.
QString unknownText();

/// Text of a cell for an object's retained size: that it is not known, see unreachedText() if no root leads to it;
/// empty for no object.
QVariant retainedCell(const std::optional<engine::Snapshot>& snapshot, engine::Address object, int role);

}  // namespace heapscape::gui
