// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "heap/object_walk.h"
#include "runtime/runtime_readers.h"
#include "values/value.h"

namespace heapscape::engine {

/// Everything that values are read from.
struct ValueSources {
  const RuntimeReaders& readers;
  const WalkedHeap* heap = nullptr;  // if there, references are held against it: one to no object is damaged
  std::size_t previewUnits = 200;    // UTF-16 units of strings that references lead to
};

/// Reads values of any type anywhere in memory. Never fails: what cannot be read is a Damaged value at its place.
class ValueReader {
 public:
  explicit ValueReader(const ValueSources& sources) : m_sources(sources) {}

  /// What a field holds that begins at an address. `declaring`: the exact type that declares it.
  FieldValue readField(const FieldDesc& field, const MethodTable& declaring, Address at) const;
  /// A value of a type at an address: a value type or primitive itself, of any other type a reference.
  FieldValue readValue(TypeHandle type, Address at) const;
  /// What a reference with this value refers to; null for 0.
  Value readReference(Address object) const;
  /// All instance fields of an object, or of an unboxed value, base-most type first.
  std::vector<FieldValue> readFields(const MethodTable& type, Address fieldsStart) const;

 private:
  const ValueSources m_sources;
};

}  // namespace heapscape::engine
