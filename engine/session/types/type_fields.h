// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "session/snapshot/contents.h"
#include "session/types/type_details.h"

namespace heapscape::engine {

/// The instance fields of a type and its parents, base-most first, then the type's own statics. `chain`: the type, then
/// its parents. `object`: whose values are read too; 0 for none. What cannot be read is a finding.
std::vector<TypeField> readTypeFields(const Contents& contents, const std::vector<MethodTable>& chain, Address object,
                                      FindingList& findings);

/// Gives the statics of a type, but for those of threads, the values that were read for them.
void addStaticValues(TypeDetails& type, const StaticList& statics);

}  // namespace heapscape::engine
