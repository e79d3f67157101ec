// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/runtime_readers.h"
#include "stacks/frames/value_classes.h"

namespace heapscape::engine {

/// A reference among the arguments of a call.
struct ArgumentReference {
  std::uint32_t offset = 0;  // from the start of the transition block; arguments on the stack lie right behind it
  bool isInterior = false;

  bool operator==(const ArgumentReference&) const = default;
};

/// Where a call has its references, in the order of the arguments: `this`, the buffer for the result, the others.
struct ArgumentLocations {
  std::vector<ArgumentReference> references;
  std::string problem;  // why the arguments behind these are not known; empty if all are
};

/// The references in what a method has returned, in registers.
struct ResultReferences {
  enum class Place : std::uint8_t { Rax, Rdx };
  struct One {
    Place place;
    bool isInterior = false;

    bool operator==(const One&) const = default;
  };
  std::vector<One> references;
  std::string problem;
};

/// Lays out calls of managed methods as the runtime does it (System V ABI for x86-64, section 3.2.3;
/// ArgIteratorTemplate, src/coreclr/vm/callingconvention.h). Safe from any thread.
class ArgumentLocator {
 public:
  explicit ArgumentLocator(const RuntimeReaders& readers) : m_readers(readers), m_values(readers) {}

  /// `mayHaveGenericContext`: shared generic code that has to be told for which types it runs gets an argument of its
  /// own for that; calls that are still to be dispatched do not have it yet.
  ArgumentLocations ofCall(const MethodDesc& method, bool mayHaveGenericContext) const;
  ResultReferences ofResult(const MethodDesc& method) const;

 private:
  /// A parameter or a result, as calls see it.
  struct Passed {
    enum class Kind : std::uint8_t { Nothing, Integer, Float, Reference, ByRef, Value, TypedReference };
    Kind kind = Kind::Nothing;
    MethodTable type = {};                        // of a Value
    std::vector<EightByteClass> eightBytes = {};  // of a Value; empty if it is passed in memory
  };
  struct Call {
    MethodTable declaring;
    MethodSignature signature;
    SignatureContext context;
  };
  class Placement;

  Result<Call> callOf(const MethodDesc& method) const;
  Result<Passed> passed(const SignatureType& type, const SignatureContext& context) const;
  Result<Passed> passedHandle(TypeHandle handle) const;
  Result<void> place(const SignatureType& parameter, const SignatureContext& context, Placement& placement) const;
  bool hasThis(const MethodDesc& method, const Call& call) const;
  bool needsGenericContext(const MethodDesc& method, const Call& call) const;

  const RuntimeReaders& m_readers;
  ValueClasses m_values;
};

}  // namespace heapscape::engine
