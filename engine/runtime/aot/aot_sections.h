// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/finding.h"
#include "memory/address_space.h"
#include "runtime/aot/aot_layout.h"

namespace heapscape::engine {

/// The sections of a compiled module that are read: ReadyToRunSectionType, and from 300 on ReflectionMapBlob
/// (src/coreclr/nativeaot/Runtime/inc/ModuleHeaders.h, src/coreclr/tools/Common/Internal/Runtime/MetadataBlob.cs).
enum class AotSectionKind : std::uint32_t {
  GcStatics = 201,  // where each class's object with static fields is noted, as relative pointers
  ThreadStatics = 202,
  FrozenObjects = 206,
  TypeMap = 301,       // NativeHashtable: which MethodTable has which metadata
  InvokeMap = 306,     // NativeHashtable: methods that reflection may call
  CommonFixups = 308,  // relative pointers that others refer to by their place
  EmbeddedMetadata = 313,
  StackTraceMap = 327,  // names of methods by address
};

/// What a module's ReadyToRun header lists.
class AotSections {
 public:
  /// Follows a TypeManager, which the runtime has for each compiled module. Fails with NotInDump or Damaged.
  static Result<AotSections> read(const AddressSpace& memory, Address typeManager);

  /// Reads the list at an address. Fails as read() does.
  static Result<AotSections> readAt(const AddressSpace& memory, Address header);

  std::size_t count() const { return m_sections.size(); }
  /// nullopt if the module has no such section.
  std::optional<AddressRange> find(AotSectionKind kind) const;

 private:
  std::map<std::uint32_t, AddressRange> m_sections;
};

/// The addresses that a module's tables refer to by their place (section CommonFixups).
class AotFixups {
 public:
  AotFixups(const AddressSpace& memory, const AotSections& sections);

  /// Whether the dump holds them.
  bool areThere() const { return !m_view.bytes.empty(); }
  /// 0 if there are not so many.
  Address target(std::uint32_t place) const;

 private:
  AddressRange m_section;
  MemoryView m_view;
};

/// The TypeManagers of all compiled modules, in the runtime's order, from the address of its RuntimeInstance. What is
/// damaged ends the list, with a finding.
std::vector<Address> readTypeManagers(const AddressSpace& memory, const AotLayout& layout, Address runtimeInstance,
                                      FindingList& findings);

}  // namespace heapscape::engine
