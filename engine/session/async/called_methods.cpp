// SPDX-License-Identifier: MIT
#include "session/async/called_methods.h"

#include <array>

#include "heap/object_head.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostForwardings = 16;

// Where work items keep what they call (ThreadPoolWorkQueue.cs, Task.cs, Timer.cs).
constexpr std::array<std::string_view, 5> kDelegateFields{"_callback", "m_action", "_timerCallback", "_action",
                                                          "_continuation"};

}  // namespace

const AsyncType& CalledMethods::typeAt(Address object) {
  std::uint64_t word = 0;
  const bool isThere = object && m_contents.memory->tryRead(object, word);
  const TypeIndex::Slot* slot = isThere ? m_contents.heap->types.find(word & kMethodTableMask) : nullptr;
  return m_types.of(slot ? TypeId{slot->type} : TypeId{});
}

const std::string& CalledMethods::byCode(Address delegate) {
  const RuntimeReaders& readers = *m_contents.readers;
  // An open delegate goes through a thunk; its second pointer says where.
  Address code = readers.runtime.pointerAt(delegate, "Delegate", "_methodPtrAux").value_or(Address{});
  if (!code) code = readers.runtime.pointerAt(delegate, "Delegate", "_methodPtr").value_or(Address{});
  const auto [entry, isNew] = m_names.try_emplace(code);
  if (!isNew) return entry->second;
  if (const Address method = readers.code.methodAtEntry(code)) {
    const std::string name = readers.methodNames.nameOf(method);
    entry->second = name.substr(0, name.find('('));
  }
  return entry->second;
}

std::string CalledMethods::goesOnIn(Address task) {
  const std::vector<std::string> methods = m_suspended.methodsOfTask(task);
  return methods.empty() ? std::string() : methods.front();
}

std::string CalledMethods::ofDelegate(Address delegate) {
  const ClrRuntime& runtime = m_contents.readers->runtime;
  Address called = delegate;
  for (std::size_t step = 0; step < kMostForwardings; ++step) {
    const AsyncType& type = typeAt(called);
    if (type.role == AsyncType::Role::Box) return type.method;
    if (type.role == AsyncType::Role::Promise) return goesOnIn(called);
    if (type.role == AsyncType::Role::Forwarder) {
      if (!m_contents.memory->tryRead(called + type.next, called)) break;
    } else if (type.role == AsyncType::Role::Delegate) {
      delegate = called;
      if (runtime.pointerAt(called, "Delegate", "_methodPtrAux").value_or(Address{})) break;
      called = runtime.pointerAt(called, "Delegate", "_target").value_or(Address{});
    } else {
      break;
    }
  }
  return byCode(delegate);
}

std::string CalledMethods::ofWorkItem(Address object) {
  const AsyncType& type = typeAt(object);
  if (type.role == AsyncType::Role::Box) return type.method;
  if (type.role == AsyncType::Role::Promise) return goesOnIn(object);
  if (type.role == AsyncType::Role::Delegate || type.role == AsyncType::Role::Forwarder) return ofDelegate(object);
  const InstanceSources sources = m_types.sources();
  const auto item = Instance::at(sources, object);
  for (const std::string_view field : kDelegateFields) {
    const auto delegate = item ? item->reference(field) : failure(ErrorCode::NotFound, {});
    if (delegate && typeAt(*delegate).role == AsyncType::Role::Delegate) return ofDelegate(*delegate);
  }
  return {};
}

}  // namespace heapscape::engine
