// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "session/contents.h"
#include "session/type_details.h"

namespace heapscape::engine {

/// The instance fields of a type and its parents, base-most first, then the type's own statics. `chain`: the type, then
/// its parents. What cannot be read is a finding.
std::vector<TypeField> readTypeFields(const Contents& contents, const std::vector<MethodTable>& chain,
                                      FindingList& findings);

}  // namespace heapscape::engine
