// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <cstdint>
#include <vector>

#include "models/rows/row_list.h"
#include "session/async/http_requests.h"
#include "session/details/exceptions_query.h"
#include "session/threads/local_values.h"

namespace heapscape::gui {

// Lists of what threads and flows of async methods have to do with, as tabs beside the stacks.

RowSchema<engine::ExceptionRow> exceptionSchema();
RowSchema<engine::LocalValueRow> localValueSchema();
RowSchema<engine::HttpRequestRow> httpSchema();

/// Managed ids of threads as words of a cell.
QString idsText(const std::vector<std::uint32_t>& threads);

}  // namespace heapscape::gui
