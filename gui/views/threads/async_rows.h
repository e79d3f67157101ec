// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include "models/rows/row_list.h"
#include "session/async/async_query.h"
#include "tables/async_tables.h"

namespace heapscape::gui {

RowSchema<engine::ListedChains> asyncSchema();

/// "waits for Task.Delay", "runs on thread 7".
QString asyncDoingText(const engine::AsyncList& list, const engine::AsyncChain& chain);

}  // namespace heapscape::gui
