// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// Whether an address lies where the runtime keeps code of methods: in a compiled image, or in jitted code, whether the
/// dump describes it or not. Stubs are none.
bool isManagedCode(const ClrRuntime& runtime, Address instruction);

}  // namespace heapscape::engine
