// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/runtime_readers.h"

namespace heapscape::engine {

/// How eight bytes of a small value travel in a register (System V ABI for x86-64, section 3.2.3, with what the GC has
/// to know added; SystemVClassificationType, src/coreclr/inc/corinfo.h).
enum class EightByteClass : std::uint8_t { Integer, Reference, ByRef, Float };

/// A reference inside a value.
struct ReferenceInValue {
  std::uint32_t offset = 0;  // from the start of the unboxed value
  bool isInterior = false;   // a `ref` field, as Span has

  bool operator==(const ReferenceInValue&) const = default;
};

/// What calls have to know of value types. Every call reads the dump. Safe from any thread.
class ValueClasses {
 public:
  explicit ValueClasses(const RuntimeReaders& readers) : m_readers(readers) {}

  /// The classes of a value that registers of x64 take, one or two; empty if it is always passed in memory. As the
  /// runtime has classified the type when it loaded it. Fails with NotInDump or Damaged.
  Result<std::vector<EightByteClass>> eightBytesOf(const MethodTable& type) const;
  /// How many floating-point registers of arm64 take a value that is nothing but one to four floats, doubles or vectors
  /// (homogeneous aggregates, Procedure Call Standard for the Arm 64-bit Architecture, section 5.10.5); 0 for others.
  /// As the runtime has classified the type. Fails as referencesIn does.
  Result<std::uint32_t> floatsOf(const MethodTable& type) const;
  /// Ascending, those of nested values among them. Fails also with NotFound, for a field of a type that cannot be told.
  Result<std::vector<ReferenceInValue>> referencesIn(const MethodTable& type) const;

 private:
  struct Collected {
    std::vector<ReferenceInValue> references;
    std::size_t visited = 0;
  };
  Result<std::uint32_t> floatBytes(const MethodTable& type, std::size_t depth) const;
  Result<void> collect(const MethodTable& type, std::uint32_t offset, std::size_t depth, Collected& collected) const;
  Result<MethodTable> typeOf(const FieldDesc& field, const MethodTable& declaring) const;
  bool isVector(const MethodTable& type) const;
  bool isInlineArray(const MethodTable& type) const;

  const RuntimeReaders& m_readers;
};

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
  enum class Place : std::uint8_t { First, Second };  // of RegisterFile::results
  struct One {
    Place place;
    bool isInterior = false;

    bool operator==(const One&) const = default;
  };
  std::vector<One> references;
  std::string problem;
};

/// Lays out calls of managed methods as the runtime does it (System V ABI for x86-64, section 3.2.3; Procedure Call
/// Standard for the Arm 64-bit Architecture, section 6.8.2; ArgIteratorTemplate, src/coreclr/vm/callingconvention.h).
/// Safe from any thread.
class ArgumentLocator {
 public:
  explicit ArgumentLocator(const RuntimeReaders& readers)
      : m_readers(readers),
        m_values(readers),
        m_isArm64(readers.runtime.contract().architecture() == Architecture::Arm64) {}

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
    std::vector<EightByteClass> eightBytes = {};  // of a Value on x64; empty if it is passed in memory
    std::uint32_t sizeBytes = 0;                  // of a Value on arm64
    std::uint32_t floats = 0;                     // of a Value on arm64: see ValueClasses::floatsOf
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
  /// Whether the caller gives a place for a result, which registers cannot hold.
  bool needsBuffer(const Passed& result) const;
  Result<void> place(const SignatureType& parameter, const SignatureContext& context, Placement& placement) const;
  bool hasThis(const MethodDesc& method, const Call& call) const;
  bool needsGenericContext(const MethodDesc& method, const Call& call) const;

  const RuntimeReaders& m_readers;
  ValueClasses m_values;
  bool m_isArm64;
};

}  // namespace heapscape::engine
