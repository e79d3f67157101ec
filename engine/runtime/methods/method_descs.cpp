// SPDX-License-Identifier: MIT
#include "runtime/methods/method_descs.h"

#include <fmt/format.h>
#include <algorithm>

#include "base/limits.h"
#include "runtime/types/loaded_types.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kAlignment = 8;  // MethodDesc::ALIGNMENT; sizes and places in a chunk count such units

tl::unexpected<Error> noMethodDesc(Address address) {
  return failure(ErrorCode::Damaged, fmt::format("There is no MethodDesc at {}.", toString(address)));
}

bool hasMetadata(MethodClassification classification) {
  return classification != MethodClassification::Array && classification != MethodClassification::Dynamic;
}

}  // namespace

std::uint64_t MethodDescs::ownSize(MethodClassification classification) const {
  const Contract& contract = m_methodTables.runtime().contract();
  switch (classification) {
    case MethodClassification::IL:
      return contract.sizeOf("MethodDesc");
    case MethodClassification::FCall:
      return contract.sizeOf("FCallMethodDesc");
    case MethodClassification::PInvoke:
      return contract.sizeOf("PInvokeMethodDesc");
    case MethodClassification::EEImpl:
      return contract.sizeOf("EEImplMethodDesc");
    case MethodClassification::Array:
      return contract.sizeOf("ArrayMethodDesc");
    case MethodClassification::Instantiated:
      return contract.sizeOf("InstantiatedMethodDesc");
    case MethodClassification::ComInterop:
      return 0;  // there is none outside of Windows
    case MethodClassification::Dynamic:
      return contract.sizeOf("DynamicMethodDesc");
  }
  return 0;
}

Result<MethodDescs::ChunkHead> MethodDescs::readHead(Address chunk) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  ChunkHead head{.address = chunk};
  HEAPSCAPE_TRY(head.methodTable, runtime.pointerAt(chunk, "MethodDescChunk", "MethodTable"));
  HEAPSCAPE_TRY(head.next, runtime.pointerAt(chunk, "MethodDescChunk", "Next"));
  // Both are kept one less than they are.
  HEAPSCAPE_TRY(const std::uint8_t size, runtime.valueAt<std::uint8_t>(chunk, "MethodDescChunk", "Size"));
  HEAPSCAPE_TRY(const std::uint8_t count, runtime.valueAt<std::uint8_t>(chunk, "MethodDescChunk", "Count"));
  HEAPSCAPE_TRY(const std::uint16_t flags,
                runtime.valueAt<std::uint16_t>(chunk, "MethodDescChunk", "FlagsAndTokenRange"));
  const Address first = chunk + runtime.contract().sizeOf("MethodDescChunk");
  head.methods = {first, first + kAlignment * (size + 1u)};
  head.count = count + 1u;
  const auto remainderBits = static_cast<unsigned>(runtime.contract().constant("MethodDescTokenRemainderBitCount"));
  head.tokenRange = flags & ((1u << (24 - remainderBits)) - 1);
  return head;
}

Result<MethodDesc> MethodDescs::readIn(const ChunkHead& chunk, Address address) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  const Contract& contract = runtime.contract();
  HEAPSCAPE_TRY(const std::uint16_t flags3,
                runtime.valueAt<std::uint16_t>(address, "MethodDesc", "Flags3AndTokenRemainder"));
  HEAPSCAPE_TRY(const std::uint8_t index, runtime.valueAt<std::uint8_t>(address, "MethodDesc", "ChunkIndex"));
  HEAPSCAPE_TRY(const std::uint16_t slot, runtime.valueAt<std::uint16_t>(address, "MethodDesc", "Slot"));
  HEAPSCAPE_TRY(const std::uint16_t flags, runtime.valueAt<std::uint16_t>(address, "MethodDesc", "Flags"));
  MethodDesc method{.address = address, .methodTable = chunk.methodTable, .slot = slot, .flags = flags};
  method.classification =
      static_cast<MethodClassification>(flags & contract.constant("MethodDesc.Flags.ClassificationMask"));
  const auto has = [&](std::uint16_t value, std::string_view flag) { return (value & contract.constant(flag)) != 0; };
  method.isStatic = has(flags, "MethodDesc.Flags.IsStatic");
  method.isUnboxingStub = has(flags3, "MethodDesc.Flags3.IsUnboxingStub");
  method.isEligibleForTieredCompilation = has(flags3, "MethodDesc.Flags3.IsEligibleForTieredCompilation");
  method.hasFixedCode =
      has(flags3, "MethodDesc.Flags3.HasStableEntryPoint") && !has(flags3, "MethodDesc.Flags3.HasPrecode");
  if (hasMetadata(method.classification)) {
    const auto remainderBits = static_cast<unsigned>(contract.constant("MethodDescTokenRemainderBitCount"));
    method.row = chunk.tokenRange << remainderBits | (flags3 & ((1u << remainderBits) - 1));
  }

  // What only some methods have lies behind the others' members, in this order.
  const std::uint64_t own = ownSize(method.classification);
  Address end = address + own;
  const auto optional = [&](std::string_view flag, std::string_view type) {
    if (!has(flags, flag)) return Address{};
    const Address member = end;
    end += contract.sizeOf(type);
    return member;
  };
  method.entryPointSlot = optional("MethodDesc.Flags.HasNonVtableSlot", "NonVtableSlot");
  method.overriddenSlots = optional("MethodDesc.Flags.HasMethodImpl", "MethodImpl");
  method.nativeCodeSlot = optional("MethodDesc.Flags.HasNativeCodeSlot", "NativeCodeSlot");
  const Address async = optional("MethodDesc.Flags.HasAsyncMethodData", "AsyncMethodData");
  if (async) {
    HEAPSCAPE_TRY(const std::uint32_t kind, runtime.valueAt<std::uint32_t>(async, "AsyncMethodData", "Flags"));
    method.isAsyncVariant = (kind & contract.constant("AsyncMethodData.IsVariant")) != 0;
  }
  method.sizeBytes = static_cast<std::uint32_t>(end - address);
  const bool isInPlace = address == chunk.methods.start + kAlignment * index;
  if (own == 0 || !isInPlace || end > chunk.methods.end) return noMethodDesc(address);
  return method;
}

Result<MethodDesc> MethodDescs::read(Address address) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  if (!address || address.value % kAlignment != 0) return noMethodDesc(address);
  HEAPSCAPE_TRY(const std::uint8_t index, runtime.valueAt<std::uint8_t>(address, "MethodDesc", "ChunkIndex"));
  const std::uint64_t before = runtime.contract().sizeOf("MethodDescChunk") + kAlignment * index;
  if (address.value < before) return noMethodDesc(address);
  HEAPSCAPE_TRY(const ChunkHead chunk, readHead(address - before));
  if (!m_methodTables.isMethodTable(chunk.methodTable)) return noMethodDesc(address);
  return readIn(chunk, address);
}

std::vector<MethodDescChunk> MethodDescs::chunksOf(const MethodTable& type, FindingList& findings) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  std::vector<MethodDescChunk> chunks;
  const auto first = runtime.pointerAt(type.eeClass, "EEClass", "MethodDescChunk");
  const auto damaged = [&](Address address, const Error& error) {
    findings.add(FindingKind::RuntimeDataDamaged, address, "The methods of a type cannot all be read. " + error.what);
  };
  if (!first) damaged(type.eeClass, first.error());
  std::size_t methods = 0;
  for (Address next = first.value_or(Address{}); next && methods < kLimits.methodsPerType;) {
    const auto head = readHead(next);
    if (!head) {
      damaged(next, head.error());
      break;
    }
    MethodDescChunk& chunk = chunks.emplace_back();
    chunk.address = next;
    chunk.sizeBytes = static_cast<std::uint32_t>(head->methods.end - next);
    Address address = head->methods.start;
    for (std::uint32_t i = 0; i < head->count; ++i, ++methods) {
      const auto method = readIn(*head, address);
      if (!method) {
        damaged(address, method.error());
        return chunks;
      }
      chunk.methods.push_back(*method);
      address += method->sizeBytes;
    }
    next = head->next;
  }
  return chunks;
}

// MethodImpl::pdwSlots (src/coreclr/vm/methodimpl.h): a count, then the slots.
std::vector<std::uint32_t> MethodDescs::furtherSlots(const MethodDesc& method) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  std::vector<std::uint32_t> slots;
  if (!method.overriddenSlots) return slots;
  const auto list = runtime.pointerAt(method.overriddenSlots, "MethodImpl", "Slots");
  std::uint32_t count = 0;
  if (!list || !*list || !runtime.memory().tryRead(*list, count)) return slots;
  for (std::uint32_t i = 1; i <= count && i <= kLimits.methodsPerType; ++i) {
    std::uint32_t slot = 0;
    if (!runtime.memory().tryRead(*list + sizeof slot * std::uint64_t{i}, slot)) break;
    slots.push_back(slot);
  }
  return slots;
}

// InstantiatedMethodDesc, src/coreclr/vm/method.hpp: a wrapper has the method that it wraps where others have a layout.
MethodDescs::InstantiationForm MethodDescs::formOf(const MethodDesc& method) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  const Contract& contract = runtime.contract();
  if (method.classification != MethodClassification::Instantiated) return {};
  const auto flags = runtime.valueAt<std::uint16_t>(method.address, "InstantiatedMethodDesc", "Flags2");
  if (!flags) return {};
  const std::uint64_t kind = *flags & contract.constant("InstantiatedMethodDesc.Flags2.KindMask");
  if (kind == contract.constant("InstantiatedMethodDesc.Kind.Shared")) return {true, {}};
  if (kind != contract.constant("InstantiatedMethodDesc.Kind.Wrapper")) return {};
  return {true, runtime.pointerAt(method.address, "InstantiatedMethodDesc", "DictionaryLayout").value_or(Address{})};
}

std::vector<TypeHandle> MethodDescs::typeArguments(const MethodDesc& method) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  std::vector<TypeHandle> arguments;
  if (method.classification != MethodClassification::Instantiated) return arguments;
  const auto dictionary = runtime.pointerAt(method.address, "InstantiatedMethodDesc", "PerInstInfo");
  const auto count = runtime.valueAt<std::uint16_t>(method.address, "InstantiatedMethodDesc", "NumGenericArgs");
  if (!dictionary || !*dictionary || !count || *count > kLimits.typeArguments) return arguments;
  for (std::uint32_t i = 0; i < *count; ++i) {
    TypeHandle argument;
    if (!runtime.memory().tryRead(*dictionary + sizeof(std::uint64_t) * i, argument)) return {};
    arguments.push_back(argument);
  }
  return arguments;
}

namespace {

constexpr std::uint64_t kFlags = 7;  // of InstMethodHashEntry, in the pointer's low bits

}  // namespace

std::vector<MethodDesc> instantiatedMethodsOf(const MethodDescs& methods, const Modules& modules,
                                              const MethodTable& type) {
  const ClrRuntime& runtime = methods.methodTables().runtime();
  std::vector<MethodDesc> found;
  // An instantiation lies with the module of one of its arguments rather than with the method's.
  for (const Module* module : modules.all()) {
    for (const Address entry : readHandleHashTable(runtime, module->address, "InstMethodHashTable")) {
      const auto method = methods.read(Address{entry.value & ~kFlags});
      if (!method || method->classification != MethodClassification::Instantiated) continue;
      if (method->methodTable != type.address && method->methodTable != type.canonical) continue;
      if (!methods.typeArguments(*method).empty()) found.push_back(*method);
    }
  }
  std::ranges::sort(found, {}, &MethodDesc::address);
  const auto [first, last] = std::ranges::unique(found, {}, &MethodDesc::address);
  found.erase(first, last);
  return found;
}

}  // namespace heapscape::engine
