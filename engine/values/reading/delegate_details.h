// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "values/reading/value_reader.h"

namespace heapscape::engine {

struct DelegateTarget {
  Address target;          // 0 for a static method
  std::string targetType;  // empty for a static method
  std::string method;      // "Zoo.Order.Notify(System.Object)"; the code's address if it cannot be named
  Address methodDesc;      // 0 if unknown
  Address code;            // where the call goes
  bool isClosed = true;    // over a first argument; false for static methods that take none
};

/// The methods that a delegate calls, one after the other: several for a multicast delegate. Empty if the object is no
/// delegate or has not the fields of one.
std::vector<DelegateTarget> readDelegate(const ValueReader& reader, const MethodTable& type, Address object);

}  // namespace heapscape::engine
