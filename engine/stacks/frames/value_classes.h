// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
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

  /// Of a value that registers take, one or two; empty if it is always passed in memory. As the runtime has classified
  /// the type when it loaded it. Fails with NotInDump or Damaged.
  Result<std::vector<EightByteClass>> eightBytesOf(const MethodTable& type) const;
  /// Ascending, those of nested values among them. Fails also with NotFound, for a field of a type that cannot be told.
  Result<std::vector<ReferenceInValue>> referencesIn(const MethodTable& type) const;

 private:
  struct Collected {
    std::vector<ReferenceInValue> references;
    std::size_t visited = 0;
  };
  Result<void> collect(const MethodTable& type, std::uint32_t offset, std::size_t depth, Collected& collected) const;
  Result<MethodTable> typeOf(const FieldDesc& field, const MethodTable& declaring) const;
  bool isInlineArray(const MethodTable& type) const;

  const RuntimeReaders& m_readers;
};

}  // namespace heapscape::engine
