// SPDX-License-Identifier: MIT
#include "runtime/ee_class.h"

#include <fmt/format.h>

namespace heapscape::engine {
namespace {

// .NET 8 keeps the counts behind the class, whose own length is noted in it (EEClassPackedFields).
Result<EEClassCounts> readCountsBehind(const ClrRuntime& runtime, const MethodTable& type) {
  HEAPSCAPE_TRY(const std::uint8_t packed, runtime.valueAt<std::uint8_t>(type.eeClass, "EEClass", "FieldsArePacked"));
  HEAPSCAPE_TRY(const std::uint8_t length, runtime.valueAt<std::uint8_t>(type.eeClass, "EEClass", "CbFixedFields"));
  if (packed) {
    return failure(
        ErrorCode::Damaged,
        fmt::format("The field counts of method table {} are packed, which is not supported.", toString(type.address)));
  }
  const auto count = [&](std::string_view name) {
    const std::uint64_t index = runtime.contract().offset("EEClassCountsIndex", name);
    return runtime.memory().read<std::uint32_t>(type.eeClass + (length + sizeof(std::uint32_t) * index));
  };
  EEClassCounts counts;
  HEAPSCAPE_TRY(counts.instanceFields, count("NumInstanceFields"));
  HEAPSCAPE_TRY(counts.methods, count("NumMethods"));
  HEAPSCAPE_TRY(counts.staticFields, count("NumStaticFields"));
  HEAPSCAPE_TRY(counts.threadStaticFields, count("NumThreadStaticFields"));
  HEAPSCAPE_TRY(counts.nonVirtualSlots, count("NumNonVirtualSlots"));
  return counts;
}

}  // namespace

Result<EEClassCounts> readEEClassCounts(const ClrRuntime& runtime, const MethodTable& type) {
  if (!runtime.contract().has("EEClass", "NumInstanceFields")) return readCountsBehind(runtime, type);
  const auto count = [&](std::string_view name) {
    return runtime.valueAt<std::uint16_t>(type.eeClass, "EEClass", name);
  };
  EEClassCounts counts;
  HEAPSCAPE_TRY(counts.instanceFields, count("NumInstanceFields"));
  HEAPSCAPE_TRY(counts.methods, count("NumMethods"));
  HEAPSCAPE_TRY(counts.staticFields, count("NumStaticFields"));
  HEAPSCAPE_TRY(counts.threadStaticFields, count("NumThreadStaticFields"));
  HEAPSCAPE_TRY(counts.nonVirtualSlots, count("NumNonVirtualSlots"));
  return counts;
}

}  // namespace heapscape::engine
