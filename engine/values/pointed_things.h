// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "heap/object_walk.h"
#include "runtime/gc/handles.h"
#include "runtime/runtime_readers.h"
#include "values/value.h"

namespace heapscape::engine {

/// The thing that an address leads to.
struct PointedThing {
  PointedKind kind = PointedKind::Nothing;
  /// "Shop.Rules.Check(System.Int32)" of Code; of all else with what it is: "type Shop.Order", "strong handle to
  /// Shop.Order at 0x7f…", "stack of thread 5".
  std::string text = {};
  Address object = {};  // Object, and Handle: what it refers to, if anything
};

/// Tells what bare addresses stand for: those in native integers, pointers and handles, whose types say nothing. Only
/// what is proven is told, never what an address may be: the thing has to name the address, not just the address a
/// thing. Safe from any thread.
class PointedThings {
 public:
  /// Without a heap no objects are told.
  PointedThings(const RuntimeReaders& readers, const WalkedHeap* heap) : m_readers(readers), m_heap(heap) {}

  PointedThing at(Address address) const;
  /// The handle that begins there, of those that the GC has; nothing if there is none.
  std::optional<GcHandle> handleAt(Address address) const;
  /// The module of an Assembly or DomainAssembly of the runtime, or the Module itself; null if there is none.
  const Module* moduleOf(Address assembly) const;
  /// "Shop.Order.Notify(System.Object)" of a MethodDesc that something claims to be one. `declaring`: the exact type,
  /// which a method that is shared does not know; 0 if unknown.
  std::string methodName(Address methodDesc, TypeHandle declaring) const;
  /// "Shop.Order.Id" of a FieldDesc that something claims to be one; empty if it is none.
  std::string fieldName(Address fieldDesc) const;
  /// The text of a handle's PointedThing.
  std::string handleText(const GcHandle& handle) const;

 private:
  std::optional<PointedThing> inHeap(Address address) const;
  bool isTypeDesc(TypeHandle handle, std::size_t depth) const;
  bool isTypeHandle(TypeHandle handle, std::size_t depth) const;
  bool isMethod(Address methodDesc) const;
  std::string stackText(Address address) const;
  std::string objectText(Address object) const;

  struct Stack {
    AddressRange range;
    std::uint32_t thread = 0;
  };
  const std::vector<GcHandle>& handles() const;                     // by address
  const std::unordered_set<Address>& methodInstantiations() const;  // MethodDescs
  const std::vector<Stack>& stacks() const;

  const RuntimeReaders& m_readers;
  const WalkedHeap* m_heap;
  mutable std::once_flag m_hasHandles, m_hasInstantiations, m_hasStacks;
  mutable std::vector<GcHandle> m_handles;
  mutable std::unordered_set<Address> m_instantiations;
  mutable std::vector<Stack> m_stacks;
};

}  // namespace heapscape::engine
