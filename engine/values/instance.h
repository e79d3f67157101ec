// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "runtime/runtime_readers.h"
#include "values/type_shapes.h"

namespace heapscape::engine {

class ChainLengths;

/// The sources that instances are read from.
struct InstanceSources {
  const RuntimeReaders& readers;
  const TypeShapes& shapes;
  ChainLengths* chains = nullptr;  // where they are kept, if anywhere
};

/// The place of a field and its shape.
struct FieldPlace {
  Address address;
  const FieldShape* shape;
};

/// An object, or a value inside one, whose fields are found by their names in metadata.
class Instance {
 public:
  /// The object at an address. Fails with NotInDump, or Damaged if there is none.
  static Result<Instance> at(const InstanceSources& sources, Address object);
  /// Something of a known type; `fields`: where its fields begin.
  Instance(const InstanceSources& sources, const TypeShape& shape, Address fields)
      : m_sources(&sources), m_shape(&shape), m_fields(fields) {}

  const InstanceSources& sources() const { return *m_sources; }
  const AddressSpace& memory() const { return m_sources->readers.runtime.memory(); }
  const MethodTable& type() const { return m_shape->type; }
  const TypeShape& shape() const { return *m_shape; }
  /// This instance seen as one of its base types.
  Instance as(const TypeShape& base) const { return {*m_sources, base, m_fields}; }
  /// The address of an object.
  Address object() const { return m_fields - kFieldsOffset; }
  /// A type argument of the type itself. Fails with NotFound if there is none.
  Result<TypeHandle> typeArgument(std::size_t number) const;

  /// Where a field lies that its type, or one of its parents, is known to have.
  FieldPlace placeOf(const FieldShape& field) const { return {m_fields + field.offset, &field}; }
  /// A field of the type or one of its parents. Fails with NotFound.
  Result<FieldPlace> field(std::string_view name) const;
  /// Its distance from where the fields begin.
  Result<std::uint32_t> offsetOf(std::string_view name) const;
  /// The object that a reference refers to; 0 for null.
  Result<Address> reference(std::string_view name) const;
  template <class T>
  Result<T> number(std::string_view name) const {
    HEAPSCAPE_TRY(const FieldPlace place, field(name));
    return memory().read<T>(place.address);
  }
  /// An int that counts something. Fails with Damaged if it is negative.
  Result<std::uint32_t> count(std::string_view name) const;
  /// The object that a field refers to. Fails with Damaged for null.
  Result<Instance> follow(std::string_view name) const;
  /// The value type that a field holds. Fails with Damaged if its type is not known.
  Result<Instance> inner(std::string_view name) const;

  static constexpr std::uint64_t kFieldsOffset = 8;  // of an object's fields: behind the method table pointer

 private:
  const InstanceSources* m_sources;
  const TypeShape* m_shape;
  Address m_fields;
};

/// A one-dimensional array from 0: where its elements lie.
struct ManagedArray {
  Address data;
  std::uint32_t count = 0;
  std::uint32_t elementSize = 0;
  TypeHandle elementType;

  Address element(std::uint64_t index) const { return data + index * elementSize; }
  /// The element type's fields.
  Result<Instance> elementShape(const InstanceSources& sources) const;
};

/// Fails with NotInDump, or Damaged if there is no such array at the address.
Result<ManagedArray> readArray(const InstanceSources& sources, Address array);
/// The array that a field refers to; one without elements for null.
Result<ManagedArray> readArray(const Instance& instance, std::string_view field);

/// The object that a WeakReference leads to.
struct WeakTarget {
  Address place;   // the handle, which holds the reference; 0 if it has been freed
  Address object;  // 0 if it has been collected
};

/// The target of a WeakReference, generic or not. Fails with NotFound if it is none, with NotInDump.
Result<WeakTarget> weakTarget(const Instance& reference);

}  // namespace heapscape::engine
