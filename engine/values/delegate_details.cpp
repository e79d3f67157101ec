// SPDX-License-Identifier: MIT
#include "values/delegate_details.h"

#include <algorithm>

#include "base/limits.h"
#include "heap/object_head.h"
#include "values/array_shape.h"
#include "values/collections/instance.h"

namespace heapscape::engine {
namespace {

bool derivesFrom(const ValueReader& reader, const MethodTable& type, std::string_view global) {
  const auto base = reader.sources().readers.runtime.globalPointer(global);
  return base && type.parent == *base;
}

/// Reads delegates by the fields of Delegate.CoreCLR.cs and MulticastDelegate.CoreCLR.cs, whose use is told by the
/// table in src/coreclr/vm/comdelegate.cpp.
class DelegateReader {
 public:
  explicit DelegateReader(const ValueReader& reader)
      : m_sources{.readers = reader.sources().readers, .shapes = reader.shapes(), .heap = reader.sources().heap} {}

  std::vector<DelegateTarget> read(Address object) const {
    const auto instance = Instance::at(m_sources, object);
    if (!instance) return {};
    const auto list = instance->reference("_invocationList");
    const auto count = instance->number<std::uint64_t>("_invocationCount");
    if (list && count && *list && *count && *count <= kLimits.delegatesInOne) {
      auto targets = readList(*list, *count);
      if (!targets.empty()) return targets;
    }
    const auto target = readOne(*instance);
    return target ? std::vector{*target} : std::vector<DelegateTarget>{};
  }

 private:
  // Of a multicast delegate: an array of the delegates that it calls, with room to grow. Other delegates keep other
  // things there.
  std::vector<DelegateTarget> readList(Address list, std::uint64_t count) const {
    std::vector<DelegateTarget> targets;
    const AddressSpace& memory = m_sources.readers.runtime.memory();
    const auto array = Instance::at(m_sources, list);
    if (!array || !array->type().isSzArray) return targets;
    const auto shape = readArrayShape(m_sources.readers, array->type(), list);
    if (!shape || shape->count < count) return targets;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto object = memory.readPointer(list + shape->elementOffset + i * shape->elementSize);
      const auto instance = object ? Instance::at(m_sources, *object) : failure(ErrorCode::Damaged, {});
      const auto target = instance ? readOne(*instance) : std::nullopt;
      if (!target) break;
      targets.push_back(*target);
    }
    return targets;
  }

  std::optional<DelegateTarget> readOne(const Instance& instance) const {
    const auto target = instance.reference("_target");
    const auto code = instance.number<Address>("_methodPtr");
    const auto secondCode = instance.number<Address>("_methodPtrAux");
    if (!target || !code || !secondCode) return std::nullopt;
    DelegateTarget result;
    // An open delegate calls a thunk that drops the delegate itself, its target, from the arguments; where the call
    // really goes is in the second pointer.
    result.isClosed = !*secondCode;
    result.code = result.isClosed ? *code : *secondCode;
    if (result.isClosed) result.target = *target;
    if (const auto object = result.target ? Instance::at(m_sources, result.target) : failure(ErrorCode::NotFound, {}))
      result.targetType = object->shape().name;
    nameMethod(result, instance);
    return result;
  }

  void nameMethod(DelegateTarget& result, const Instance& instance) const {
    const RuntimeReaders& readers = m_sources.readers;
    result.methodDesc = readers.code.methodAtEntry(result.code);
    // An open delegate of a virtual method goes through a stub of its own and keeps the method aside.
    const auto aside = instance.number<Address>("_invocationCount");
    if (!result.methodDesc && aside && readers.methods.read(*aside)) result.methodDesc = *aside;
    result.method = result.methodDesc ? readers.methodNames.nameOf(result.methodDesc) : toString(result.code);
  }

  const CollectionSources m_sources;
};

}  // namespace

std::vector<DelegateTarget> readDelegate(const ValueReader& reader, const MethodTable& type, Address object) {
  if (!derivesFrom(reader, type, "MulticastDelegateMethodTable") && !derivesFrom(reader, type, "DelegateMethodTable"))
    return {};
  return DelegateReader(reader).read(object);
}

}  // namespace heapscape::engine
