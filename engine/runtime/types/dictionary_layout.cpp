// SPDX-License-Identifier: MIT
#include "runtime/types/dictionary_layout.h"

#include "base/limits.h"
#include "metadata/compressed_integer.h"
#include "metadata/runtime_signature.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kSignatureBytes = 256;  // as much as is read of one
constexpr std::uint32_t kLastNumber = 0xffff;

// Of src/coreclr/inc/readytorun.h: in which dictionary, and what.
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

}  // namespace heapscape::engine
