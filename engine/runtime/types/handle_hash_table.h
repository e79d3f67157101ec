// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// What one of a module's hash tables holds: of `AvailableTypeParams` the handles of constructed types, of
/// `InstMethodHashTable` MethodDescs with flags in their low bits (EETypeHashTable and InstMethodHashTable, both of
/// src/coreclr/vm/dacenumerablehash.h). Empty if the module has none, or it cannot be read; damage ends it.
std::vector<Address> readHandleHashTable(const ClrRuntime& runtime, Address module, std::string_view table);

}  // namespace heapscape::engine
