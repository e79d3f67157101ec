// SPDX-License-Identifier: MIT
#pragma once

#include "session/snapshot/contents.h"
#include "session/types/type_details.h"

namespace heapscape::engine {

/// Fills in type arguments and who shares the canonical method table.
void readTypeGenerics(const Contents& contents, const MethodTable& type, TypeDetails& details);

}  // namespace heapscape::engine
