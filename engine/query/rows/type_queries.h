// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>

#include "base/result.h"
#include "query/schema.h"
#include "session/snapshot/snapshot.h"
#include "session/types/type_query.h"

namespace heapscape::engine {

/// The fields of types.
const QuerySchema& typeSchema();

/// selectTypes(), with a text that may be a query of typeSchema(): fails with BadQuery for one that is wrong.
Outcome<TypeSelection> queryTypes(const Snapshot& snapshot, const TypeCounts& counts, const TypeQuery& query,
                                  std::stop_token stop);

}  // namespace heapscape::engine
