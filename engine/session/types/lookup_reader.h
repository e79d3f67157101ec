// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/types/generic_dictionary.h"
#include "session/snapshot/contents.h"
#include "session/types/type_details.h"

namespace heapscape::engine {

/// Where the code of a method gets its type arguments from (MethodDesc::AcquiresInstMethodTableFromThis and its
/// neighbours, src/coreclr/vm/method.cpp). `owner`: the method table that declares it.
LookupSource lookupSourceOf(const ClrRuntime& runtime, const MethodDesc& method, const MethodTable& owner);

/// Fills in how shared code of a type and of its generic methods finds what depends on their arguments: dictionaries
/// with their slots, those of parents, and the steps to them. Needs `details.typeArguments` and `details.methods`.
void readTypeLookups(const Contents& contents, const MethodTable& type, TypeDetails& details);

}  // namespace heapscape::engine
