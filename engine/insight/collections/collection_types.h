// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "insight/collections/collection_survey.h"

namespace heapscape::engine {

/// The types on the heap that are collections, or derive from one, with their fields found by name. One whose fields
/// are not as expected is left out.
std::vector<SurveyedType> findCollectionTypes(const InsightInput& input);

}  // namespace heapscape::engine
