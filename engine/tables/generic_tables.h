// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "session/types/generics_query.h"
#include "session/types/type_details.h"
#include "tables/table.h"

namespace heapscape::engine {

/// Generic definitions; each has its instantiations.
const TableOf<GenericDefinition>& genericsTable();

/// How shared code finds its type arguments: the ways to the dictionary, its slots, those of parents and of methods.
const TableOf<LookupPath>& lookupPathsTable();
const TableOf<DictionarySlot>& dictionaryTable();
const TableOf<DictionaryFigures>& dictionaryFiguresTable();
const TableOf<InheritedLookups>& inheritedLookupsTable();
/// Each has the slots of its dictionary.
const TableOf<MethodLookups>& methodLookupsTable();

/// Cost of the next lookup of a slot: "read", "size and slot read", "a call of the runtime, once, which fills it".
std::string nextLookupText(const DictionarySlot& slot);

}  // namespace heapscape::engine
