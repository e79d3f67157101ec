// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/address.h"
#include "base/ids.h"
#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// What an address of the process belongs to.
enum class AddressKind : std::uint8_t {
  ObjectStart,
  ObjectHeader,
  ObjectInterior,  // a field, element or padding of an object
  FreeSpace,       // a free object, the rest of an allocation context, or a segment behind its objects
  MethodTable,
  EEClass,
  MethodDesc,
  MethodCode,
  HandleSlot,
  StaticSlot,
  SyncBlock,
  RuntimeThread,
  ThreadStack,
  Module,      // an assembly's image
  MappedFile,  // native library or other mapped file
  Native,      // memory of the process that belongs to none of these
  Unmapped,    // no memory of the dump
};
const char* toString(AddressKind kind);

struct AddressMeaning {
  AddressKind kind = AddressKind::Unmapped;
  std::string text;     // "field Customer of Zoo.Order at 0x7f…", "stack of thread 5 \"worker\""
  Address object;       // of the object it lies in
  Address methodTable;  // of that object, or the type it is about
  SegmentId segment;
  std::uint64_t offset = 0;  // from the start of the thing
};

/// Explains addresses of one dump, for many of them: what they need to know is read once. Safe from any thread.
class AddressMeanings {
 public:
  static Outcome<AddressMeanings> make(const Snapshot& snapshot, std::stop_token stop);

  /// Everything that can be said of an address, the most particular first; never empty.
  std::vector<AddressMeaning> of(Address address) const;

  struct Parts;

 private:
  explicit AddressMeanings(std::shared_ptr<const Parts> parts) : m_parts(std::move(parts)) {}

  std::shared_ptr<const Parts> m_parts;
};

/// Everything that can be said of an address, the most particular first; never empty.
Outcome<std::vector<AddressMeaning>> explainAddress(const Snapshot& snapshot, Address address, std::stop_token stop);

}  // namespace heapscape::engine
