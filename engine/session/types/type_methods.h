// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "session/snapshot/contents.h"
#include "session/types/type_details.h"

namespace heapscape::engine {

/// The slots of a type's vtable with the methods that fill them, inherited ones too, then the type's other methods by
/// slot. `chain`: the type, then its parents. What cannot be read is a finding.
std::vector<TypeMethod> readTypeMethods(const Contents& contents, const std::vector<MethodTable>& chain,
                                        FindingList& findings);

}  // namespace heapscape::engine
