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

/// groupObjects() by the field Value: first by what lines are made of, so that each line is written about once and not
/// once an object.
Outcome<ObjectGroups> groupByLine(const ObjectFields& fields, const ValueReader& values,
                                  const std::vector<std::uint32_t>& ids, StageProgress& progress,
                                  const std::stop_token& stop);

}  // namespace heapscape::engine
