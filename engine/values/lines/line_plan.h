// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "base/bounded_reader.h"
#include "base/ids.h"
#include "memory/address_space.h"
#include "values/array_shape.h"
#include "values/collections/kinds/collection_kinds.h"
#include "values/instance.h"
#include "values/reading/value_reader.h"
#include "values/type_shapes.h"

namespace heapscape::engine {

/// The plan by which objects of a type are told on one line: for whoever writes the line (ObjectLines), looks for a
/// word in it (LineScreen) or makes a key of what it is made of (LineKeys).
struct LinePlan {
  enum class Form : std::uint8_t {
    Nothing,
    String,
    Vector,  // an array of one dimension from 0
    Array,
    Boxed,
    Known,
    List,
    Collection,
    Exception,
    Delegate,
    Fields
  };
  /// A field, an element or an item.
  struct Part {
    enum class Kind : std::uint8_t { Value, Reference, Integer, Enum, Real, Boolean, Character, Code };
    std::string label = {};  // of a field: "Name = "
    Slot slot = {};
    std::uint32_t offset = 0;              // of a field, from the object on
    Kind kind = Kind::Value;               // Code: an address, which may lead to a method
    bool isSigned = false;                 // of Integer and Enum
    std::uint32_t sizeBytes = 0;           // that say all, of a Reference its address; 0: there is more to it
    const EnumNames* enumNames = nullptr;  // of Enum
  };
  /// What is shown of an object that something refers to.
  enum class Shown : std::uint8_t { Value, Type, String, Count };

  Form form = Form::Nothing;
  const TypeShape* shape = nullptr;
  const CollectionKind* collection = nullptr;  // of a Collection, with the type or its base that is of that kind
  const TypeShape* collectionShape = nullptr;
  Part item = {};                                 // of a Vector, a List and a Boxed
  std::uint32_t itemsOffset = 0, sizeOffset = 0;  // in a List, behind the method table
  std::vector<Part> fields = {};                  // the first that are told, the base type's before its own
  bool hasMoreFields = false;

  Shown inField = Shown::Value, asItem = Shown::Value;
  std::string name = {};        // where Type is told: without namespaces
  ArrayBrackets brackets = {};  // where Count is: what stands around it
};

/// AddressSpace::prefix() for millions of addresses that mostly lie in the same piece of the dump: all of that piece is
/// kept, so that it is not looked for again. For one thread.
class NearbyMemory {
 public:
  /// The memory outlives this.
  explicit NearbyMemory(const AddressSpace& memory) : m_memory(memory) {}

  /// The bytes in one piece from the address on, at most `size` bytes; empty if the first byte is missing.
  [[gnu::always_inline]] Bytes prefix(Address address, std::uint64_t size) {
    std::uint64_t offset = address.value - m_start.value;
    if (offset >= m_piece.size()) [[unlikely]] {
      m_piece = m_memory.prefix(address, UINT64_MAX);
      m_start = address;
      offset = 0;
    }
    return m_piece.subspan(offset, std::min<std::uint64_t>(size, m_piece.size() - offset));
  }
  /// Reads as AddressSpace does, also across pieces.
  bool tryRead(Address address, std::span<std::byte> target) {
    const Bytes bytes = prefix(address, target.size());
    if (bytes.size() < target.size()) return m_memory.tryRead(address, target);
    std::ranges::copy(bytes, target.begin());
    return true;
  }
  template <class T>
  requires std::is_trivially_copyable_v<T>
  [[gnu::always_inline]] bool tryRead(Address address, T& value) {
    return tryReadAt(prefix(address, sizeof value), 0, value) || m_memory.tryRead(address, value);
  }

 private:
  const AddressSpace& m_memory;
  Address m_start;
  Bytes m_piece = {};  // as far as it goes from there
};

/// The items of an array or a list that its line tells.
struct LineItems {
  TypeId arrayType = {};     // of a list's array
  std::uint32_t count = 0;   // of all there are
  std::uint32_t stride = 0;  // bytes from one to the next
  std::size_t shown = 0;
  Bytes bytes = {};  // of those shown, one behind the other
};

/// The plans of all types, each made once. For one thread.
class LinePlans {
 public:
  static constexpr std::size_t kItemsOnLine = 3;
  static constexpr std::size_t kFieldsOnLine = 4;

  /// The reader outlives this.
  explicit LinePlans(const ValueReader& values);
  LinePlans(const LinePlans&) = delete;
  LinePlans& operator=(const LinePlans&) = delete;

  /// Good as long as this is.
  const LinePlan& of(Address methodTable) {
    const Recent& recent = m_recent[methodTable.value / kAlignment % m_recent.size()];
    return recent.plan && recent.methodTable == methodTable ? *recent.plan : learn(methodTable);
  }
  /// Needs a heap, as all below does.
  const LinePlan& of(TypeId type) {
    const LinePlan*& known = m_ofTypes[type.value];
    if (!known) known = &of(m_values.sources().heap->types.methodTable(type));
    return *known;
  }
  /// The part of a field, an element or an item: a primitive that is declared by its type (System.Int32) is one.
  LinePlan::Part partOf(Slot slot) const;
  /// The items of a Vector or a List whose bytes are given. Nothing if the dump does not hold them, or they are not as
  /// they should be, which is told in another way.
  std::optional<LineItems> itemsOf(const LinePlan& plan, Bytes object);

  const ValueReader& values() const { return m_values; }
  NearbyMemory& memory() { return m_memory; }
  /// Offsets in a string.
  std::uint64_t lengthOffset() const { return m_lengthOffset; }
  std::uint64_t charactersOffset() const { return m_charactersOffset; }

 private:
  const LinePlan& learn(Address methodTable);
  LinePlan describe(Address methodTable) const;
  void findForm(LinePlan& plan) const;
  void describeReferred(LinePlan& plan) const;
  void describeCollection(LinePlan& plan) const;
  void findFields(LinePlan& plan) const;
  bool derivesFrom(const TypeShape& shape, Address base) const;

  static constexpr std::uint64_t kAlignment = 8;  // of method tables
  struct Recent {
    Address methodTable;
    const LinePlan* plan = nullptr;
  };

  const ValueReader& m_values;
  const InstanceSources m_sources;
  NearbyMemory m_memory;
  Address m_stringType, m_exceptionType, m_freeType, m_multicastType, m_delegateType;
  std::uint64_t m_lengthOffset = 0, m_charactersOffset = 0;
  std::unordered_map<std::uint64_t, LinePlan> m_plans;  // by method table
  std::array<Recent, 64> m_recent = {};                 // of these, to be found without a search
  std::vector<const LinePlan*> m_ofTypes;               // by TypeId, once they are known
};

}  // namespace heapscape::engine
