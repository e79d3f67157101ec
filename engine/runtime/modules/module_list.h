// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/finding.h"
#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// Addresses of the modules that the application domain lists, in its order; CoreLib first.
std::vector<Address> listModules(const ClrRuntime& runtime, FindingList& findings);

}  // namespace heapscape::engine
