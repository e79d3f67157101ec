// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include "session/types/type_query.h"

namespace heapscape::gui {

/// "gen1 of heap 2, 24 to 31 bytes"; empty for the whole heap.
QString scopeText(const engine::HeapScope& scope);

}  // namespace heapscape::gui
