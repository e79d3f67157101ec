// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "runtime/runtime_readers.h"

namespace heapscape::test {

/// A loaded type by its whole name; throws if there is none.
engine::MethodTable namedType(const engine::RuntimeReaders& readers, std::string_view type);

/// A method that a type declares: "System.String", "Concat(System.String, System.String)"; throws if there is none.
engine::MethodDesc namedMethod(const engine::RuntimeReaders& readers, std::string_view type,
                               std::string_view signature);

}  // namespace heapscape::test
