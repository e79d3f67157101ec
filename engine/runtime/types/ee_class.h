// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
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
/// its length less one, then as many bits. Nothing if the bytes end before it.
std::optional<std::uint32_t> packedNumber(Bytes packed, std::size_t index);

}  // namespace heapscape::engine
