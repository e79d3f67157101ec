// SPDX-License-Identifier: MIT
#include "runtime/types/ee_class_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/limits.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kOptional = "EEClassOptionalFields";
constexpr std::string_view kLayout = "EEClassLayoutInfo";
constexpr std::size_t kMostRegisters = 2;           // CLR_SYSTEMV_MAX_EIGHTBYTES_COUNT_TO_PASS_IN_REGISTERS
constexpr std::uint32_t kNoStaticsId = 0xffffffff;  // MODULE_NON_DYNAMIC_STATICS

constexpr std::array kLayoutFlags{
    "EEClassLayoutInfo.Flags.Blittable",          "EEClassLayoutInfo.Flags.ManagedSequential",
    "EEClassLayoutInfo.Flags.ZeroSized",          "EEClassLayoutInfo.Flags.HasExplicitSize",
    "EEClassLayoutInfo.Flags.HasAutoLayoutField", "EEClassLayoutInfo.Flags.HasInt128Field"};

std::string registerKind(std::uint8_t classification) {
  switch (classification) {
    case 4:
      return "integer";
    case 5:
      return "reference";
    case 6:
      return "byref";
    case 7:
      return "SSE";
    default:
      return "other";
  }
}

std::string varianceName(std::uint8_t variance) {  // CorGenericParamAttr, ECMA-335 II.23.1.7
  if (variance == 1) return "out";
  return variance == 2 ? "in" : "invariant";
}

std::string layoutKind(std::uint8_t kind) {
  constexpr std::array kNames{"auto", "sequential", "explicit"};
  return kind < kNames.size() ? kNames[kind] : "other";
}

Result<void> readRegisters(const ClrRuntime& runtime, EEClassOptionalFields& fields) {
  // Count and sizes have four bytes each, since .NET 11 one.
  const bool areBytes = runtime.contract().constant("EEClassOptionalFields.EightByteNumberBytes") == 1;
  const auto numberAt = [&](Address at) -> Result<std::uint32_t> {
    if (!areBytes) return runtime.memory().read<std::uint32_t>(at);
    HEAPSCAPE_TRY(const std::uint8_t number, runtime.memory().read<std::uint8_t>(at));
    return std::uint32_t{number};
  };
  HEAPSCAPE_TRY(const std::uint32_t count,
                numberAt(runtime.member(fields.address, "EEClassOptionalFields", "NumEightBytes")));
  const Address kinds = runtime.member(fields.address, "EEClassOptionalFields", "EightByteClassifications");
  const Address sizes = runtime.member(fields.address, "EEClassOptionalFields", "EightByteSizes");
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, kMostRegisters); ++i) {
    HEAPSCAPE_TRY(const std::uint8_t kind, runtime.memory().read<std::uint8_t>(kinds + i));
    HEAPSCAPE_TRY(const std::uint32_t bytes, numberAt(sizes + (areBytes ? 1 : sizeof(std::uint32_t)) * i));
    fields.registers.push_back({registerKind(kind), bytes});
  }
  return {};
}

Result<void> readVariances(const ClrRuntime& runtime, const MethodTable& type, EEClassOptionalFields& fields) {
  if (!fields.varianceInfo || !type.isGenericInstance) return {};
  HEAPSCAPE_TRY(const Address pointers, runtime.pointerAt(type.address, "MethodTable", "PerInstInfo"));
  const Address info = pointers - sizeof(std::uint64_t);
  HEAPSCAPE_TRY(const std::uint16_t count, runtime.valueAt<std::uint16_t>(info, "GenericsDictInfo", "NumTypeArgs"));
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, kLimits.typeArguments); ++i) {
    HEAPSCAPE_TRY(const std::uint8_t variance, runtime.memory().read<std::uint8_t>(fields.varianceInfo + i));
    fields.variances.push_back(varianceName(variance));
  }
  return {};
}

}  // namespace

std::string registersText(const EEClassOptionalFields& fields) {
  std::string text;
  for (const RegisterPart& part : fields.registers)
    text += fmt::format("{}{} bytes {}", text.empty() ? "" : ", ", part.bytes, part.kind);
  return text;
}

Result<std::optional<EEClassOptionalFields>> readEEClassOptionalFields(const ClrRuntime& runtime,
                                                                       const MethodTable& type) {
  EEClassOptionalFields fields;
  HEAPSCAPE_TRY(fields.address, runtime.pointerAt(type.eeClass, "EEClass", "OptionalFields"));
  if (!fields.address) return std::nullopt;
  const Address at = fields.address;
  HEAPSCAPE_TRY(fields.dictionaryLayout, runtime.pointerAt(at, "EEClassOptionalFields", "DictionaryLayout"));
  HEAPSCAPE_TRY(fields.varianceInfo, runtime.pointerAt(at, "EEClassOptionalFields", "VarianceInfo"));
  HEAPSCAPE_CHECK(readVariances(runtime, type, fields));
  if (runtime.contract().has(kOptional, "ModuleDynamicID")) {
    HEAPSCAPE_TRY(const std::uint32_t id,
                  runtime.valueAt<std::uint32_t>(at, "EEClassOptionalFields", "ModuleDynamicID"));
    if (id != kNoStaticsId) fields.staticsId = id;
  }
  HEAPSCAPE_CHECK(readRegisters(runtime, fields));
  if (runtime.contract().has(kOptional, "RequiredFieldAlignment")) {
    HEAPSCAPE_TRY(fields.fieldAlignment,
                  runtime.valueAt<std::uint8_t>(at, "EEClassOptionalFields", "RequiredFieldAlignment"));
  }
  return fields;
}

Result<std::optional<EEClassLayout>> readEEClassLayout(const ClrRuntime& runtime, const MethodTable& type) {
  const Contract& contract = runtime.contract();
  HEAPSCAPE_TRY(const std::uint32_t classFlags, runtime.valueAt<std::uint32_t>(type.eeClass, "EEClass", "VMFlags"));
  if ((classFlags & contract.constant("EEClass.VMFlags.HasLayout")) == 0) return std::nullopt;
  EEClassLayout layout;
  layout.address = runtime.member(type.eeClass, "LayoutEEClass", "LayoutInfo");
  const auto byteAt = [&](std::string_view field) {
    return runtime.memory().read<std::uint8_t>(layout.address + contract.offset(kLayout, field));
  };
  if (contract.has(kLayout, "LayoutType")) {
    HEAPSCAPE_TRY(const std::uint8_t kind, byteAt("LayoutType"));
    layout.kind = layoutKind(kind);
  }
  if (contract.has(kLayout, "ManagedSize")) {
    HEAPSCAPE_TRY(layout.managedSize,
                  runtime.valueAt<std::uint32_t>(layout.address, "EEClassLayoutInfo", "ManagedSize"));
  }
  HEAPSCAPE_TRY(layout.largestAlignment, byteAt("LargestAlignment"));
  HEAPSCAPE_TRY(layout.packing, byteAt("PackingSize"));
  HEAPSCAPE_TRY(const std::uint8_t flags, byteAt("Flags"));
  for (const std::string_view flag : kLayoutFlags) {
    if (flags & contract.constant(flag)) layout.flags.emplace_back(flag.substr(flag.rfind('.') + 1));
  }
  return layout;
}

}  // namespace heapscape::engine
