// SPDX-License-Identifier: MIT
#pragma once

#include "session/details/exceptions_query.h"
#include "tables/table.h"

namespace heapscape::engine {

const TableOf<ExceptionRow>& exceptionsTable();

}  // namespace heapscape::engine
