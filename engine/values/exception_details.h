// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "values/value_reader.h"

namespace heapscape::engine {

struct ExceptionDetails {
  std::string message;
  std::int32_t hresult = 0;
  Address inner;
  std::string innerType;
  std::vector<Address> innerExceptions;  // of an AggregateException
  struct Frame {
    Address instruction;
    std::string method;        // empty if it cannot be named
    std::uint32_t offset = 0;  // of the instruction in the method's code
  };
  std::vector<Frame> stack;     // innermost first
  std::string remoteStackText;  // what was carried over from an earlier throw
  std::string damage;
};

/// Nothing if the object is no exception.
std::optional<ExceptionDetails> readException(const ValueReader& reader, const MethodTable& type, Address object);

}  // namespace heapscape::engine
