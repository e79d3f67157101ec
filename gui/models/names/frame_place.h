// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include "session/stacks/stacks_query.h"

namespace heapscape::gui {

/// "/src/Warehouse.cs:42", as the PDB has the path; empty where no source is known.
QString frameSource(const engine::FrameRow& frame);
/// That place without the folder: "Warehouse.cs:42".
QString frameSourceName(const engine::FrameRow& frame);

}  // namespace heapscape::gui
