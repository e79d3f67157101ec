// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "runtime/methods/method_descs.h"
#include "runtime/modules/modules.h"

namespace heapscape::engine {

/// The instantiations of a type's generic methods that the runtime has made, canonical ones too, in the order of their
/// addresses. What other instantiations of the type have made for themselves alone is left out.
std::vector<MethodDesc> instantiatedMethodsOf(const MethodDescs& methods, const Modules& modules,
                                              const MethodTable& type);

}  // namespace heapscape::engine
