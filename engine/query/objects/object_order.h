// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "query/objects/object_fields.h"
#include "query/objects/object_search.h"
#include "values/value_reader.h"

namespace heapscape::engine {

/// The first `search.limit` of these objects (ascending) in the order that the search wants. Only as many are sorted.
/// All of `progress` is theirs.
Outcome<std::vector<std::uint32_t>> firstInOrder(const ObjectFields& fields, const ValueReader& values,
                                                 const std::vector<std::uint32_t>& ids, const ObjectSearch& search,
                                                 StageProgress& progress, const std::stop_token& stop);

}  // namespace heapscape::engine
