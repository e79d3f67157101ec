// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/types/method_tables.h"

namespace heapscape::engine {

struct InterfaceMap {
  Address address;  // 0 if the type implements no interface
  std::vector<Address> interfaces;
  std::uint32_t sizeBytes = 0;
};

/// The interfaces that a type implements, those of its parents and of other interfaces too, in the runtime's order. A
/// generic interface over the type itself may stand there in its open form. Fails with NotInDump.
Result<InterfaceMap> readInterfaceMap(const ClrRuntime& runtime, const MethodTable& type);

}  // namespace heapscape::engine
