// SPDX-License-Identifier: MIT
#include "insight/detectors/delegates.h"

#include "base/limits.h"
#include "values/instance.h"
#include "values/reading/delegate_details.h"

namespace heapscape::engine {

Delegates::Delegates(const HeapObjects& heap) : m_heap(heap) {
  const ClrRuntime& runtime = heap.readers().runtime;
  const Contract& contract = runtime.contract();
  m_target = contract.offset("Delegate", "_target");
  m_code = contract.offset("Delegate", "_methodPtr");
  m_secondCode = contract.offset("Delegate", "_methodPtrAux");
  m_list = contract.offset("Delegate", "_invocationList");
  m_count = contract.offset("Delegate", "_invocationCount");
  const auto base = runtime.globalPointer("MulticastDelegateMethodTable");
  const std::vector<TypeRow>& rows = *heap.contents().types;
  for (std::uint32_t i = 0; base && i < rows.size(); ++i) {
    const auto type = heap.readers().methodTables.read(rows[i].methodTable);
    if (type && type->parent == *base) m_types.push_back({i});
  }
}

std::uint64_t Delegates::word(std::uint32_t delegate, std::uint64_t offset) const {
  std::uint64_t value = 0;
  return m_heap.memory().tryRead(m_heap.addressOf(delegate) + offset, value) ? value : 0;
}

InvocationList Delegates::listOf(std::uint32_t delegate, std::size_t minimum) const {
  InvocationList list{delegate, {}};
  const std::uint64_t count = word(delegate, m_count);
  if (count < minimum || count > kLimits.delegatesInOne) return list;
  const std::uint32_t holder = m_heap.referenceAt(delegate, m_list);
  const auto array = holder == HeapObjects::kNone ? failure(ErrorCode::NotFound, {})
                                                  : readArray(m_heap.sources(), m_heap.addressOf(holder));
  if (!array || array->count < count || array->elementSize != sizeof(Address)) return list;
  for (std::uint64_t i = 0; i < count; ++i) {
    Address element;
    if (!m_heap.memory().tryRead(array->element(i), element)) continue;
    const std::uint32_t called = m_heap.objectAt(element);
    if (called != HeapObjects::kNone) list.called.push_back(called);
  }
  return list;
}

std::uint32_t Delegates::targetOf(std::uint32_t delegate) const {
  // An open delegate is its own target, and where it goes stands in the second pointer.
  return word(delegate, m_secondCode) ? HeapObjects::kNone : m_heap.referenceAt(delegate, m_target);
}

Address Delegates::codeOf(std::uint32_t delegate) const {
  const std::uint64_t second = word(delegate, m_secondCode);
  return {second ? second : word(delegate, m_code)};
}

std::string Delegates::methodOf(std::uint32_t delegate) const {
  const Address method = m_heap.readers().code.methodAtEntry(codeOf(delegate));
  if (!method) return {};
  const std::string name = m_heap.readers().methodNames.nameOf(method);
  return name.substr(0, name.find('('));
}

bool isSharedLambdas(std::string_view typeName) {
  const std::size_t last = typeName.rfind("+<>c");
  if (last == std::string_view::npos) return false;
  const std::string_view rest = typeName.substr(last + 4);
  return rest.empty() || rest.front() == '<';
}

}  // namespace heapscape::engine
