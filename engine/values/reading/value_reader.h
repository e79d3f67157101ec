// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "heap/object_walk.h"
#include "runtime/runtime_readers.h"
#include "values/chain_lengths.h"
#include "values/instance.h"
#include "values/pointed_things.h"
#include "values/type_shapes.h"
#include "values/value.h"

namespace heapscape::engine {

/// Everything that values are read from.
struct ValueSources {
  const RuntimeReaders& readers;
  const WalkedHeap* heap = nullptr;  // if there, references are held against it: one to no object is damaged
  std::size_t previewUnits = 200;    // UTF-16 units of strings that references lead to
};

/// Bytes of a value that lie in registers of the processor rather than in memory.
struct LooseBytes {
  /// The address of these bytes: they are read as if they lay here, where no process of x86-64 can have memory.
  static constexpr Address kPlace{1ull << 63};
  std::array<std::byte, 32> bytes{};
  std::size_t size = 0;
};

/// Reads values of any type anywhere in memory. Never fails: what cannot be read is a Damaged value at its place. What
/// it learns of types and chains it keeps, so one reader for many values is quicker than many. Safe from any thread.
class ValueReader {
 public:
  explicit ValueReader(const ValueSources& sources)
      : m_sources(sources),
        m_shapes(std::make_shared<TypeShapes>(sources.readers)),
        m_chains(std::make_shared<ChainLengths>()),
        m_pointedThings(std::make_shared<PointedThings>(sources.readers, sources.heap)) {}

  /// The value of a field that begins at an address. `declaring`: the exact type that declares it.
  FieldValue readField(const FieldDesc& field, const MethodTable& declaring, Address at) const;
  /// A value of a type at an address: a value type or primitive itself, of any other type a reference.
  FieldValue readValue(TypeHandle type, Address at) const;
  /// The value of the object that a reference refers to; null for 0.
  Value readReference(Address object) const;
  /// All instance fields of an object, or of an unboxed value, base-most type first, by offset in each. Offsets count
  /// from `fieldsStart`, where the first one has `startOffset`.
  std::vector<FieldValue> readFields(const MethodTable& type, Address fieldsStart, std::uint64_t startOffset = 0) const;
  /// `count` values of a type, one every `stride` bytes; the first one has `startOffset`. Names are left empty.
  std::vector<FieldValue> readElements(TypeHandle type, Address first, std::uint64_t stride, std::size_t count,
                                       std::uint64_t startOffset = 0) const;

  /// A value of a slot at an address.
  FieldValue readSlot(const Slot& slot, Address at) const;
  /// This reader, for which these bytes lie at LooseBytes::kPlace.
  ValueReader with(const LooseBytes& loose) const;
  /// Copies bytes of a value; false if any of them is missing.
  bool tryRead(Address address, std::span<std::byte> target) const;
  template <class T>
  bool tryRead(Address address, T& value) const {
    return tryRead(address, std::as_writable_bytes(std::span(&value, 1)));
  }

  const ValueSources& sources() const { return m_sources; }
  const TypeShapes& shapes() const { return *m_shapes; }
  const PointedThings& pointedThings() const { return *m_pointedThings; }
  /// To read instances with the same knowledge.
  InstanceSources instances() const { return {m_sources.readers, *m_shapes, m_chains.get()}; }

 private:
  const ValueSources m_sources;
  const std::shared_ptr<const TypeShapes> m_shapes;
  const std::shared_ptr<ChainLengths> m_chains;
  std::shared_ptr<const LooseBytes> m_loose;
  const std::shared_ptr<const PointedThings> m_pointedThings;
};

}  // namespace heapscape::engine
