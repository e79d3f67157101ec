// SPDX-License-Identifier: MIT
#include "runtime/generic_dictionary.h"

#include "base/limits.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kPointerBytes = 8;

/// Whether code of this type looks anything up: only then there are slots behind the arguments.
bool hasLayout(const ClrRuntime& runtime, const MethodTable& type) {
  const auto optional = runtime.pointerAt(type.eeClass, "EEClass", "OptionalFields");
  if (!optional || !*optional) return false;
  const auto layout = runtime.pointerAt(*optional, "EEClassOptionalFields", "DictionaryLayout");
  return layout && *layout;
}

}  // namespace

Result<GenericDictionary> readGenericDictionary(const ClrRuntime& runtime, const MethodTable& type) {
  if (!type.isGenericInstance) return failure(ErrorCode::NotFound, "The type is no instantiation of a generic one.");
  const AddressSpace& memory = runtime.memory();
  GenericDictionary dictionary;
  HEAPSCAPE_TRY(dictionary.pointers, runtime.pointerAt(type.address, "MethodTable", "PerInstInfo"));
  const Address info = dictionary.pointers - kPointerBytes;
  HEAPSCAPE_TRY(const std::uint16_t pointers, runtime.valueAt<std::uint16_t>(info, "GenericsDictInfo", "NumDicts"));
  HEAPSCAPE_TRY(const std::uint16_t arguments, runtime.valueAt<std::uint16_t>(info, "GenericsDictInfo", "NumTypeArgs"));
  if (pointers == 0 || pointers > kLimits.parentDepth || arguments > kLimits.typeArguments)
    return failure(ErrorCode::Damaged, "The dictionary of a generic type is damaged.");
  dictionary.pointerCount = pointers;
  dictionary.arguments = arguments;
  HEAPSCAPE_TRY(dictionary.address, memory.readPointer(dictionary.pointers + kPointerBytes * (pointers - 1u)));
  dictionary.sizeBytes = static_cast<std::uint32_t>(kPointerBytes * arguments);
  if (!hasLayout(runtime, type)) return dictionary;

  // The first word behind the arguments is the size of the whole.
  const Address sizeSlot = dictionary.address + kPointerBytes * arguments;
  HEAPSCAPE_TRY(const std::uint64_t size, memory.read<std::uint64_t>(sizeSlot));
  const std::uint64_t head = kPointerBytes * (arguments + 1u);
  if (size < head || size % kPointerBytes != 0 || size > kPointerBytes * kLimits.dictionarySlots)
    return failure(ErrorCode::Damaged, "The size of a generic type's dictionary is damaged.");
  dictionary.sizeBytes = static_cast<std::uint32_t>(size);
  for (std::uint64_t offset = head; offset < size; offset += kPointerBytes) {
    const Address slot = dictionary.address + offset;
    HEAPSCAPE_TRY(const Address value, memory.readPointer(slot));
    dictionary.slots.push_back({slot, value});
  }
  return dictionary;
}

}  // namespace heapscape::engine
