// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/enum_names.h"
#include "base/finding.h"
#include "runtime/modules/modules.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {

/// What a method is made of (MethodClassification, src/coreclr/vm/method.hpp).
enum class MethodClassification : std::uint8_t {
  IL,
  FCall,         // implemented in the runtime
  PInvoke,       // implemented in a native library
  EEImpl,        // made up by the runtime, as Invoke of delegates
  Array,         // Get, Set, Address and constructors of arrays
  Instantiated,  // of generic methods
  ComInterop,
  Dynamic,  // without metadata: DynamicMethod, and stubs of the runtime in IL
};
template <>
inline constexpr auto kEnumNames<MethodClassification> =
    std::to_array<EnumName<MethodClassification>>({{MethodClassification::IL, "IL"},
                                                   {MethodClassification::FCall, "FCall"},
                                                   {MethodClassification::PInvoke, "P/Invoke"},
                                                   {MethodClassification::EEImpl, "EEImpl"},
                                                   {MethodClassification::Array, "array"},
                                                   {MethodClassification::Instantiated, "instantiated"},
                                                   {MethodClassification::ComInterop, "COM interop"},
                                                   {MethodClassification::Dynamic, "dynamic"}});

/// The runtime's description of one method. Methods of generic types belong to the canonical method table, and are
/// shared by all instantiations of that.
struct MethodDesc {
  Address address;
  Address methodTable = {};  // that declares it
  std::uint32_t row = 0;     // in the MethodDef table of the declaring type's module; 0 for arrays and dynamic methods
  std::uint32_t slot = 0;
  std::uint16_t flags = 0;  // MethodDescFlags
  MethodClassification classification = MethodClassification::IL;
  bool isStatic = false;
  bool isUnboxingStub = false;
  bool isEligibleForTieredCompilation = false;
  bool hasFixedCode = false;  // the entry point is the code itself
  /// One of the two that a method has which returns a task (.NET 11): the form that runs until it has a result, or is
  /// suspended. The other one returns the task. Either may hold the code, and the other one calls it.
  bool isAsyncVariant = false;
  Address entryPointSlot = {};   // its own slot for the entry point; 0 if that is in the method table
  Address overriddenSlots = {};  // MethodImpl: list of further slots that it fills; 0 if there is none
  Address nativeCodeSlot = {};   // where its code's address is kept; 0 if there is no such slot
  std::uint32_t sizeBytes = 0;
};

/// Some MethodDescs that lie together; a type has a list of such chunks.
struct MethodDescChunk {
  Address address;
  std::uint32_t sizeBytes = 0;
  std::vector<MethodDesc> methods;
};

/// Reads methods of types. Every call reads the dump; nothing is cached.
class MethodDescs {
 public:
  explicit MethodDescs(const MethodTables& methodTables) : m_methodTables(methodTables) {}

  /// Fails with NotInDump, or Damaged where the address is that of no MethodDesc.
  Result<MethodDesc> read(Address address) const;
  /// The methods that a type itself declares, in the order of its chunks, without instantiations of generic methods.
  /// Damage ends the list and is a finding.
  std::vector<MethodDescChunk> chunksOf(const MethodTable& type, FindingList& findings) const;
  /// The slots that a method fills beside its own one, as implementations of several virtual methods do.
  std::vector<std::uint32_t> furtherSlots(const MethodDesc& method) const;
  /// Whose code an instantiation of a generic method runs.
  struct InstantiationForm {
    bool isShared = false;  // code for all references in place of type arguments
    Address wrapped =
        {};  // another MethodDesc's, which is shared: this one adds type arguments to a call; 0 if its own
  };
  InstantiationForm formOf(const MethodDesc& method) const;
  /// Type arguments of an instantiation of a generic method; empty for others.
  std::vector<TypeHandle> typeArguments(const MethodDesc& method) const;

  const MethodTables& methodTables() const { return m_methodTables; }

 private:
  struct ChunkHead {
    Address address;
    Address methodTable = {};
    Address next = {};
    AddressRange methods = {};
    std::uint32_t count = 0;
    std::uint32_t tokenRange = 0;
  };
  Result<ChunkHead> readHead(Address chunk) const;
  Result<MethodDesc> readIn(const ChunkHead& chunk, Address address) const;
  std::uint64_t ownSize(MethodClassification classification) const;

  const MethodTables& m_methodTables;
};

/// The instantiations of a type's generic methods that the runtime has made, canonical ones too, in the order of their
/// addresses. What other instantiations of the type have made for themselves alone is left out.
std::vector<MethodDesc> instantiatedMethodsOf(const MethodDescs& methods, const Modules& modules,
                                              const MethodTable& type);

}  // namespace heapscape::engine
