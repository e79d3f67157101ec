// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// The characters of a System.String object as UTF-8, at most `limit` of them. Fails with NotInDump, or Damaged if the
/// object is no string.
Result<std::string> readManagedString(const ClrRuntime& runtime, Address object, std::size_t limit);

}  // namespace heapscape::engine
