// SPDX-License-Identifier: MIT
#include "runtime/types/generic_dictionary.h"

#include "base/address.h"
#include "base/limits.h"
#include "metadata/signature.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kSignatureBytes = 256;  // as much as is read of one
constexpr std::uint32_t kLastNumber = 0xffff;

// From src/coreclr/inc/readytorun.h: in which dictionary, and what.
constexpr std::uint32_t kModuleOverride = 0x80, kOfThis = 0x07, kOfType = 0x08, kOfMethod = 0x09;
constexpr std::uint8_t kTypeHandle = 0x10, kMethodHandle = 0x11, kFieldHandle = 0x12, kEntryOfMethod = 0x13,
                       kVirtualEntry = 0x16;

std::vector<std::byte> bytesAt(const AddressSpace& memory, Address address) {
  std::vector<std::byte> bytes(kSignatureBytes);
  for (; !bytes.empty(); bytes.resize(bytes.size() / 2)) {
    if (memory.tryRead(address, std::span(bytes))) break;
  }
  return bytes;
}

LookupKind kindOfReadyToRun(Bytes signature) {
  BoundedReader reader(signature);
  const std::uint8_t where = reader.read<std::uint8_t>();
  if (where & kModuleOverride) readCompressed(reader);
  const std::uint32_t dictionary = where & ~kModuleOverride;
  if (dictionary != kOfThis && dictionary != kOfType && dictionary != kOfMethod) return LookupKind::Unknown;
  if (dictionary == kOfThis && !decodeRuntimeType(reader)) return LookupKind::Unknown;
  switch (reader.read<std::uint8_t>() & ~kModuleOverride) {
    case kTypeHandle:
      return LookupKind::Type;
    case kMethodHandle:
      return LookupKind::Method;
    case kFieldHandle:
      return LookupKind::Field;
    case kEntryOfMethod:
      return LookupKind::MethodEntry;
    case kVirtualEntry:
      return LookupKind::DispatchStub;
    default:
      return LookupKind::Unknown;
  }
}

// The kind; of a type's dictionary then its number in the chain of parents; then what is looked up.
void readJitted(Bytes signature, bool ofMethod, Lookup& lookup) {
  BoundedReader reader(signature);
  const auto kind = readCompressed(reader);
  if (!kind || *kind > static_cast<std::uint32_t>(LookupKind::DeclaringType)) return;
  if (!ofMethod && !readCompressed(reader)) return;
  lookup.kind = static_cast<LookupKind>(*kind);
  const Bytes rest = signature.subspan(reader.position());
  lookup.type.assign(rest.begin(), rest.end());
}

}  // namespace

bool DictionaryLayout::isFull(std::uint32_t typeArguments) const {
  return lookups.size() == slots && 2 * slots + typeArguments > kLastNumber;
}

Result<DictionaryLayout> readDictionaryLayout(const ClrRuntime& runtime, Address layout, bool ofMethod) {
  DictionaryLayout result;
  result.address = layout;
  HEAPSCAPE_TRY(result.slots, runtime.valueAt<std::uint16_t>(layout, "DictionaryLayout", "NumSlots"));
  HEAPSCAPE_TRY(result.initialSlots, runtime.valueAt<std::uint16_t>(layout, "DictionaryLayout", "NumInitialSlots"));
  if (result.slots == 0 || result.initialSlots > result.slots)
    return failure(ErrorCode::Damaged, "The layout of a generic type's dictionary is damaged.");
  const Address first = runtime.member(layout, "DictionaryLayout", "Slots");
  const std::uint64_t size = runtime.contract().sizeOf("DictionaryEntryLayout");
  const std::uint64_t readyToRun = runtime.contract().constant("DictionaryEntryLayout.FromReadyToRun");
  for (std::uint64_t i = 0; i < result.slots; ++i) {
    const Address entry = first + size * i;
    Lookup lookup;
    HEAPSCAPE_TRY(lookup.signature, runtime.pointerAt(entry, "DictionaryEntryLayout", "Signature"));
    if (!lookup.signature) break;  // slots are given out one after the other
    HEAPSCAPE_TRY(const std::uint8_t source,
                  runtime.valueAt<std::uint8_t>(entry, "DictionaryEntryLayout", "SignatureSource"));
    lookup.isOfReadyToRun = source == readyToRun;
    const auto signature = bytesAt(runtime.memory(), lookup.signature);
    if (lookup.isOfReadyToRun) {
      lookup.kind = kindOfReadyToRun(signature);
    } else {
      readJitted(signature, ofMethod, lookup);
    }
    result.lookups.push_back(std::move(lookup));
  }
  return result;
}

namespace {

/// Only where code looks anything up there are slots behind the arguments.
Result<Address> layoutOf(const ClrRuntime& runtime, const MethodTable& type) {
  HEAPSCAPE_TRY(const Address optional, runtime.pointerAt(type.eeClass, "EEClass", "OptionalFields"));
  if (!optional) return Address{};
  return runtime.pointerAt(optional, "EEClassOptionalFields", "DictionaryLayout");
}

// Shared code has a layout of its own; an instantiation of it has a pointer to it in that place.
Result<Address> layoutOf(const ClrRuntime& runtime, const MethodDesc& method) {
  const Contract& contract = runtime.contract();
  const std::uint64_t kindMask = contract.constant("InstantiatedMethodDesc.Flags2.KindMask");
  Address owner = method.address;
  HEAPSCAPE_TRY(std::uint64_t flags, runtime.valueAt<std::uint16_t>(owner, "InstantiatedMethodDesc", "Flags2"));
  if ((flags & kindMask) == contract.constant("InstantiatedMethodDesc.Kind.Wrapper")) {
    HEAPSCAPE_TRY(owner, runtime.pointerAt(owner, "InstantiatedMethodDesc", "DictionaryLayout"));
    HEAPSCAPE_TRY(flags, runtime.valueAt<std::uint16_t>(owner, "InstantiatedMethodDesc", "Flags2"));
  }
  if ((flags & kindMask) != contract.constant("InstantiatedMethodDesc.Kind.Shared")) return Address{};
  return runtime.pointerAt(owner, "InstantiatedMethodDesc", "DictionaryLayout");
}

/// Bytes of a dictionary of code that looks things up: noted in the first word behind the arguments.
Result<std::uint32_t> sizeNotedIn(const ClrRuntime& runtime, Address dictionary, std::uint32_t arguments) {
  const std::uint64_t head = kPointerBytes * (arguments + 1u);
  HEAPSCAPE_TRY(const std::uint32_t size, runtime.memory().read<std::uint32_t>(dictionary + (head - kPointerBytes)));
  if (size < head || size % kPointerBytes != 0 || size > kPointerBytes * kLimits.dictionarySlots)
    return failure(ErrorCode::Damaged, "The size of a generic type's dictionary is damaged.");
  return size;
}

Result<void> readSlots(const ClrRuntime& runtime, GenericDictionary& dictionary) {
  dictionary.sizeBytes = static_cast<std::uint32_t>(kPointerBytes * dictionary.arguments);
  if (!dictionary.layout) return {};
  HEAPSCAPE_TRY(dictionary.sizeBytes, sizeNotedIn(runtime, dictionary.address, dictionary.arguments));
  for (std::uint64_t offset = kPointerBytes * (dictionary.arguments + 1u); offset < dictionary.sizeBytes;
       offset += kPointerBytes) {
    const Address slot = dictionary.address + offset;
    HEAPSCAPE_TRY(const Address value, runtime.memory().readPointer(slot));
    dictionary.slots.push_back({slot, value});
  }
  return {};
}

/// How many dictionaries and arguments a type has, in front of PerInstInfo.
struct DictionaryCounts {
  Address pointers;
  std::uint16_t dictionaries = 0, arguments = 0;
};

Result<DictionaryCounts> countsOf(const ClrRuntime& runtime, const MethodTable& type) {
  DictionaryCounts counts;
  HEAPSCAPE_TRY(counts.pointers, runtime.pointerAt(type.address, "MethodTable", "PerInstInfo"));
  const Address info = counts.pointers - kPointerBytes;
  HEAPSCAPE_TRY(counts.dictionaries, runtime.valueAt<std::uint16_t>(info, "GenericsDictInfo", "NumDicts"));
  HEAPSCAPE_TRY(counts.arguments, runtime.valueAt<std::uint16_t>(info, "GenericsDictInfo", "NumTypeArgs"));
  if (counts.dictionaries == 0 || counts.dictionaries > kLimits.parentDepth || counts.arguments > kLimits.typeArguments)
    return failure(ErrorCode::Damaged, "The dictionary of a generic type is damaged.");
  return counts;
}

}  // namespace

Result<GenericDictionary> readGenericDictionary(const ClrRuntime& runtime, const MethodTable& type) {
  if (!type.isGenericInstance) return failure(ErrorCode::NotFound, "The type is no instantiation of a generic one.");
  GenericDictionary dictionary;
  HEAPSCAPE_TRY(const DictionaryCounts counts, countsOf(runtime, type));
  dictionary.pointers = counts.pointers;
  dictionary.pointerCount = counts.dictionaries;
  dictionary.arguments = counts.arguments;
  HEAPSCAPE_TRY(dictionary.address,
                runtime.memory().readPointer(counts.pointers + kPointerBytes * (counts.dictionaries - 1u)));
  HEAPSCAPE_TRY(dictionary.layout, layoutOf(runtime, type));
  HEAPSCAPE_CHECK(readSlots(runtime, dictionary));
  return dictionary;
}

Result<GenericDictionary> readMethodDictionary(const ClrRuntime& runtime, const MethodDesc& method) {
  GenericDictionary dictionary;
  HEAPSCAPE_TRY(dictionary.address, runtime.pointerAt(method.address, "InstantiatedMethodDesc", "PerInstInfo"));
  HEAPSCAPE_TRY(dictionary.arguments,
                runtime.valueAt<std::uint16_t>(method.address, "InstantiatedMethodDesc", "NumGenericArgs"));
  if (dictionary.arguments > kLimits.typeArguments)
    return failure(ErrorCode::Damaged, "The dictionary of a generic method is damaged.");
  HEAPSCAPE_TRY(dictionary.layout, layoutOf(runtime, method));
  HEAPSCAPE_CHECK(readSlots(runtime, dictionary));
  return dictionary;
}

Result<std::vector<InheritedDictionary>> readInheritedDictionaries(const MethodTables& methodTables,
                                                                   const MethodTable& type) {
  const ClrRuntime& runtime = methodTables.runtime();
  std::vector<InheritedDictionary> inherited;
  Address own;  // PerInstInfo of the type, which is not generic itself perhaps
  Address next = type.parent;
  for (std::size_t level = 0; next && level < kLimits.parentDepth; ++level) {
    HEAPSCAPE_TRY(const MethodTable parent, methodTables.read(next));
    next = parent.parent;
    if (!parent.isGenericInstance) continue;
    if (!own) {
      HEAPSCAPE_TRY(own, runtime.pointerAt(type.address, "MethodTable", "PerInstInfo"));
    }
    HEAPSCAPE_TRY(const DictionaryCounts counts, countsOf(runtime, parent));
    HEAPSCAPE_TRY(const Address layout, layoutOf(runtime, parent));
    const std::uint64_t place = kPointerBytes * (counts.dictionaries - 1u);
    InheritedDictionary dictionary;
    dictionary.owner = parent.address;
    HEAPSCAPE_TRY(dictionary.address, runtime.memory().readPointer(own + place));
    HEAPSCAPE_TRY(dictionary.current, runtime.memory().readPointer(counts.pointers + place));
    if (layout) {
      HEAPSCAPE_TRY(const std::uint32_t size, sizeNotedIn(runtime, dictionary.address, counts.arguments));
      dictionary.slots = static_cast<std::uint32_t>(size / kPointerBytes - counts.arguments - 1);
    }
    inherited.push_back(dictionary);
  }
  return inherited;
}

}  // namespace heapscape::engine
