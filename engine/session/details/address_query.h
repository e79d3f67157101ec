// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/address.h"
#include "base/bounded_reader.h"
#include "base/enum_names.h"
#include "base/ids.h"
#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Kind of thing that an address of the process belongs to.
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

template <>
inline constexpr auto kEnumNames<AddressKind> =
    std::to_array<EnumName<AddressKind>>({{AddressKind::ObjectStart, "object"},
                                          {AddressKind::ObjectHeader, "objectHeader"},
                                          {AddressKind::ObjectInterior, "objectInterior"},
                                          {AddressKind::FreeSpace, "freeSpace"},
                                          {AddressKind::MethodTable, "methodTable"},
                                          {AddressKind::EEClass, "eeClass"},
                                          {AddressKind::MethodDesc, "methodDesc"},
                                          {AddressKind::MethodCode, "methodCode"},
                                          {AddressKind::HandleSlot, "handle"},
                                          {AddressKind::StaticSlot, "static"},
                                          {AddressKind::SyncBlock, "syncBlock"},
                                          {AddressKind::RuntimeThread, "thread"},
                                          {AddressKind::ThreadStack, "stack"},
                                          {AddressKind::Module, "module"},
                                          {AddressKind::MappedFile, "mappedFile"},
                                          {AddressKind::Native, "native"},
                                          {AddressKind::Unmapped, "unmapped"}});

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

/// The memory of a process from an address on: up to `bytes`, or to the end of all addresses.
AddressRange memoryFrom(Address address, std::uint64_t bytes);

/// Some bytes of memory, or a stretch that neither the dump nor a file that was mapped has.
struct MemoryRun {
  AddressRange range;
  Bytes bytes;  // as many as the range has; empty for what is missing. Good until the next part
  bool isMissing() const { return bytes.empty(); }
};

/// Calls `visit` with all parts of a range by address, present ones no longer than kLongestMemoryRun, until it returns
/// false. Takes no more memory for a large range. Fails only if it was stopped.
inline constexpr std::uint64_t kLongestMemoryRun = 64 * 1024;
Outcome<void> readMemory(const Snapshot& snapshot, AddressRange range,
                         const std::function<bool(const MemoryRun&)>& visit, std::stop_token stop);

/// A word of memory, eight bytes from where the range begins on.
struct MemoryWord {
  Address address;
  std::optional<std::uint64_t> value;  // nothing if any of its bytes is missing
};
/// Reads a range by words; the last one may reach beyond the range. A stretch without any bytes is one part that is
/// missing, handed to `missing`.
Outcome<void> readWords(const Snapshot& snapshot, AddressRange range,
                        const std::function<bool(const MemoryWord&)>& visit,
                        const std::function<bool(AddressRange)>& missing, std::stop_token stop);

/// Target of a word of memory: an object and its field, a type, a method and its line, a thread's stack and frame, a
/// handle, a static, memory of the GC, a library and its function; nothing for a number that is no address.
std::optional<AddressMeaning> meaningOf(const AddressMeanings& meanings, std::uint64_t word);

}  // namespace heapscape::engine
