// SPDX-License-Identifier: MIT
#include "values/reading/delegate_details.h"

#include "base/limits.h"
#include "values/instance.h"

namespace heapscape::engine {
namespace {

/// Reads delegates by the fields of DelegateObject (src/coreclr/vm/object.h), whose use is told by the table in
/// src/coreclr/vm/comdelegate.cpp.
class DelegateReader {
 public:
  explicit DelegateReader(const ValueReader& reader) : m_reader(reader), m_readers(reader.sources().readers) {}

  std::vector<DelegateTarget> read(Address object) const {
    const Address list = pointer(object, "_invocationList").value_or(Address{});
    const std::uint64_t count = pointer(object, "_invocationCount").value_or(Address{}).value;
    if (list && count && count <= kLimits.delegatesInOne) {
      auto targets = readList(list, count);
      if (!targets.empty()) return targets;
    }
    const auto target = readOne(object);
    return target ? std::vector{*target} : std::vector<DelegateTarget>{};
  }

 private:
  Result<Address> pointer(Address object, std::string_view field) const {
    return m_readers.runtime.pointerAt(object, "Delegate", field);
  }

  // List of a multicast delegate: an array of the delegates that it calls, with room to grow. Other delegates keep
  // other things there.
  std::vector<DelegateTarget> readList(Address list, std::uint64_t count) const {
    std::vector<DelegateTarget> targets;
    const auto array = readArray(m_reader.instances(), list);
    if (!array || array->count < count || array->elementSize != sizeof(Address)) return targets;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto object = m_readers.runtime.memory().readPointer(array->element(i));
      const auto target = object && *object ? readOne(*object) : std::nullopt;
      if (!target) break;
      targets.push_back(*target);
    }
    return targets;
  }

  std::optional<DelegateTarget> readOne(Address object) const {
    const auto target = pointer(object, "_target");
    const auto code = pointer(object, "_methodPtr");
    const auto secondCode = pointer(object, "_methodPtrAux");
    if (!target || !code || !secondCode) return std::nullopt;
    DelegateTarget result;
    // An open delegate calls a thunk that drops the delegate itself, its target, from the arguments; where the call
    // really goes is in the second pointer.
    result.isClosed = !*secondCode;
    result.code = result.isClosed ? *code : *secondCode;
    if (result.isClosed) result.target = *target;
    if (result.target) result.targetType = m_reader.readReference(result.target).objectType;
    nameMethod(result, object);
    return result;
  }

  void nameMethod(DelegateTarget& result, Address object) const {
    result.methodDesc = m_readers.code.methodAtEntry(result.code);
    // An open delegate of a virtual method goes through a stub of its own and keeps the method aside.
    const auto aside = pointer(object, "_invocationCount");
    if (!result.methodDesc && aside && m_readers.methods.read(*aside)) result.methodDesc = *aside;
    result.method = result.methodDesc ? m_readers.methodNames.nameOf(result.methodDesc) : toString(result.code);
  }

  const ValueReader& m_reader;
  const RuntimeReaders& m_readers;
};

}  // namespace

std::vector<DelegateTarget> readDelegate(const ValueReader& reader, const MethodTable& type, Address object) {
  const ClrRuntime& runtime = reader.sources().readers.runtime;
  for (const char* base : {"MulticastDelegateMethodTable", "DelegateMethodTable"}) {
    const auto methodTable = runtime.globalPointer(base);
    if (methodTable && type.parent == *methodTable) return DelegateReader(reader).read(object);
  }
  return {};
}

}  // namespace heapscape::engine
