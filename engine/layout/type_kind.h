// SPDX-License-Identifier: MIT
#pragma once

#include "layout/type_layout.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {

/// What kind of type a method table describes, as its flags and its parent tell.
TypeKind kindOf(const ClrRuntime& runtime, const MethodTable& type);

}  // namespace heapscape::engine
