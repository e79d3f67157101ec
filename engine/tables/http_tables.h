// SPDX-License-Identifier: MIT
#pragma once

#include "session/async/http_requests.h"
#include "tables/table.h"

namespace heapscape::engine {

const TableOf<HttpRequestRow>& httpTable();

}  // namespace heapscape::engine
