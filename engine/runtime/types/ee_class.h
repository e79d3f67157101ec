// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/types/method_tables.h"

namespace heapscape::engine {

/// One count that an EEClass keeps, by the runtime's own name (src/coreclr/vm/class.h): "NumInstanceFields".
struct EEClassFigure {
  std::string_view name;
  std::uint32_t value = 0;
};

/// All counts of a type's EEClass, in the runtime's order. .NET 8 keeps them behind the class (EEClassPackedFields),
/// and has two more, of boxed statics; since .NET 9 they are members. Fails with NotInDump or Damaged.
Result<std::vector<EEClassFigure>> readEEClassFigures(const ClrRuntime& runtime, const MethodTable& type);

/// How many fields, methods and slots a type has, as its EEClass counts them.
struct EEClassCounts {
  std::uint32_t instanceFields = 0;  // with all parents'
  std::uint32_t methods = 0;         // MethodDescs of its own
  std::uint32_t staticFields = 0;    // thread statics too
  std::uint32_t threadStaticFields = 0;
  std::uint32_t nonVirtualSlots = 0;
};

/// Fails with NotInDump or Damaged.
Result<EEClassCounts> readEEClassCounts(const ClrRuntime& runtime, const MethodTable& type);

/// A number of PackedDWORDFields (src/coreclr/vm/packedfields.inl) in its packed form: for each number five bits with
/// its length less one, then as many bits. Returns nullopt if the bytes end before it.
std::optional<std::uint32_t> packedNumber(Bytes packed, std::size_t index);

/// Eight bytes of a value that is passed in registers, as the System V convention has them (SystemVClassificationType,
/// src/coreclr/inc/corinfo.h).
struct RegisterPart {
  std::string kind;  // "integer", "reference", "byref", "SSE"
  std::uint32_t bytes = 0;
};

/// Parts that only some classes have (EEClassOptionalFields, src/coreclr/vm/class.h; there are no COM parts on Linux).
struct EEClassOptionalFields {
  Address address;
  Address dictionaryLayout;                // of shared generic code; 0 if it looks nothing up
  Address varianceInfo;                    // a byte for each type parameter; 0 if none varies
  std::vector<std::string> variances;      // of each type parameter: "in", "out", "invariant"
  std::optional<std::uint32_t> staticsId;  // ModuleDynamicID, .NET 8: of a class with statics of its own
  std::vector<RegisterPart> registers;     // empty unless values are passed in registers
  std::uint32_t fieldAlignment = 0;        // that an automatic layout asks for; 0: that of a pointer
};

/// "8 bytes SSE, 4 bytes integer"; empty for values that are not passed in registers.
std::string registersText(const EEClassOptionalFields& fields);

/// Nothing if the class has none. Fails with NotInDump.
Result<std::optional<EEClassOptionalFields>> readEEClassOptionalFields(const ClrRuntime& runtime,
                                                                       const MethodTable& type);

/// How the fields of a class with a layout were placed (EEClassLayoutInfo).
struct EEClassLayout {
  Address address;
  std::string kind;  // "auto", "sequential", "explicit"; empty before .NET 10, which does not say
  std::optional<std::uint32_t> managedSize;  // up to .NET 9: of the fields, in bytes
  std::uint32_t largestAlignment = 0;        // that a field asks for
  std::uint32_t packing = 0;                 // what Pack says, or the runtime's default of 64
  std::vector<std::string> flags;            // "Blittable", "HasExplicitSize" …
};

/// Nothing for a class that has no layout beside the automatic one. Fails with NotInDump.
Result<std::optional<EEClassLayout>> readEEClassLayout(const ClrRuntime& runtime, const MethodTable& type);

}  // namespace heapscape::engine
