// SPDX-License-Identifier: MIT
#include "runtime/types/ee_class.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <optional>

#include "base/bounded_reader.h"
#include "base/limits.h"

namespace heapscape::engine {
namespace {

/// A count and the bytes that it takes up where it is a member.
struct Count {
  std::string_view name;
  std::uint32_t bytes = sizeof(std::uint16_t);
};

constexpr auto kCounts = std::to_array<Count>({{"NumInstanceFields"},
                                               {"NumMethods"},
                                               {"NumStaticFields"},
                                               {"NumHandleStatics"},
                                               {"NumBoxedStatics"},
                                               {"NonGCStaticFieldBytes", sizeof(std::uint32_t)},
                                               {"NumThreadStaticFields"},
                                               {"NumHandleThreadStatics"},
                                               {"NumBoxedThreadStatics"},
                                               {"NonGCThreadStaticFieldBytes", sizeof(std::uint32_t)},
                                               {"NumNonVirtualSlots"}});
constexpr std::string_view kBehind = "EEClassCountsIndex";
constexpr std::uint64_t kEEClassBytes = 128;  // as far as its counts lie

constexpr std::size_t kLengthBits = 5;
constexpr std::size_t kLongestNumber = 32;

std::optional<std::uint32_t> bitsAt(Bytes bytes, std::size_t first, std::size_t count) {
  if (first + count > 8 * bytes.size()) return std::nullopt;
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto byte = std::to_integer<unsigned>(bytes[(first + i) / 8]);
    value |= (byte >> ((first + i) % 8) & 1u) << i;
  }
  return value;
}

/// .NET 8: the numbers behind the class, whose own length is noted in it.
class CountsBehind {
 public:
  static Result<CountsBehind> of(const ClrRuntime& runtime, const MethodTable& type) {
    CountsBehind counts(runtime);
    HEAPSCAPE_TRY(const std::uint8_t packed, runtime.valueAt<std::uint8_t>(type.eeClass, "EEClass", "FieldsArePacked"));
    HEAPSCAPE_TRY(const std::uint8_t length, runtime.valueAt<std::uint8_t>(type.eeClass, "EEClass", "CbFixedFields"));
    counts.m_start = type.eeClass + length;
    // Packed, they end sooner than all numbers at their longest would.
    counts.m_isPacked = packed != 0;
    if (!counts.m_isPacked) return counts;
    for (std::size_t size = counts.m_packed.size(); size > 0; --size) {
      counts.m_packedSize = size;
      if (runtime.memory().tryRead(counts.m_start, std::span(counts.m_packed).first(size))) return counts;
    }
    return failure(ErrorCode::NotInDump,
                   fmt::format("The dump does not hold the field counts of method table {}.", toString(type.address)));
  }

  Result<std::uint32_t> read(ContractName name) const {
    const std::uint64_t index = m_runtime.contract().offset(kBehind, name);
    if (!m_isPacked) return m_runtime.memory().read<std::uint32_t>(m_start + sizeof(std::uint32_t) * index);
    if (const auto number = packedNumber(Bytes(m_packed).first(m_packedSize), index)) return *number;
    return failure(ErrorCode::Damaged, fmt::format("The packed field counts at {} are cut.", toString(m_start)));
  }

 private:
  explicit CountsBehind(const ClrRuntime& runtime) : m_runtime(runtime) {}

  const ClrRuntime& m_runtime;
  Address m_start;
  bool m_isPacked = false;
  std::array<std::byte, kCounts.size() * (kLengthBits + kLongestNumber) / 8 + 1> m_packed{};
  std::size_t m_packedSize = 0;
};

Result<std::vector<EEClassFigure>> readMembers(const ClrRuntime& runtime, const MethodTable& type) {
  std::vector<EEClassFigure> figures;
  for (const Count& count : kCounts) {
    if (!runtime.contract().has("EEClass", count.name)) continue;
    const Address at = runtime.member(type.eeClass, "EEClass", count.name);
    EEClassFigure figure{count.name};
    if (count.bytes == sizeof(std::uint16_t)) {
      HEAPSCAPE_TRY(figure.value, runtime.memory().read<std::uint16_t>(at));
    } else {
      HEAPSCAPE_TRY(figure.value, runtime.memory().read<std::uint32_t>(at));
    }
    figures.push_back(figure);
  }
  return figures;
}

}  // namespace

std::optional<std::uint32_t> packedNumber(Bytes packed, std::size_t index) {
  std::size_t bit = 0;
  for (std::size_t i = 0;; ++i) {
    const auto length = bitsAt(packed, bit, kLengthBits);
    if (!length) return std::nullopt;
    bit += kLengthBits;
    if (i == index) return bitsAt(packed, bit, *length + 1u);
    bit += *length + 1u;
  }
}

Result<std::vector<EEClassFigure>> readEEClassFigures(const ClrRuntime& runtime, const MethodTable& type) {
  if (runtime.contract().has("EEClass", "NumInstanceFields")) return readMembers(runtime, type);
  HEAPSCAPE_TRY(const CountsBehind counts, CountsBehind::of(runtime, type));
  std::vector<EEClassFigure> figures;
  for (const Count& count : kCounts) {
    HEAPSCAPE_TRY(const std::uint32_t value, counts.read(count.name));
    figures.push_back({count.name, value});
  }
  return figures;
}

Result<EEClassCounts> readEEClassCounts(const ClrRuntime& runtime, const MethodTable& type) {
  // `read` puts a count where it belongs: no Result a count, since of many types this is asked over and over.
  const auto readAll = [](const auto& read) {
    EEClassCounts counts;
    read("NumInstanceFields", counts.instanceFields);
    read("NumMethods", counts.methods);
    read("NumStaticFields", counts.staticFields);
    read("NumThreadStaticFields", counts.threadStaticFields);
    read("NumNonVirtualSlots", counts.nonVirtualSlots);
    return counts;
  };
  const Contract& contract = runtime.contract();
  const AddressSpace& memory = runtime.memory();
  std::optional<Error> error;
  if (!contract.has("EEClass", "NumInstanceFields")) {
    HEAPSCAPE_TRY(const CountsBehind behind, CountsBehind::of(runtime, type));
    const EEClassCounts counts = readAll([&](ContractName name, std::uint32_t& count) {
      const auto number = behind.read(name);
      if (number) count = *number;
      if (!number && !error) error = number.error();
    });
    if (error) return tl::unexpected<Error>(*error);
    return counts;
  }
  const Bytes head = memory.prefix(type.eeClass, kEEClassBytes);
  const EEClassCounts counts = readAll([&](ContractName name, std::uint32_t& count) {
    const std::uint64_t offset = contract.offset("EEClass", name);
    std::uint16_t number = 0;
    if (offset == Contract::kAbsentOffset) return;
    const Address at = type.eeClass + offset;
    if (!tryReadAt(head, offset, number) && !memory.tryRead(at, number) && !error)
      error = memory.read<std::uint16_t>(at).error();
    count = number;
  });
  if (error) return tl::unexpected<Error>(*error);
  return counts;
}

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
  // On arm64 the type alone tells how its values travel.
  if (!runtime.contract().has("EEClassOptionalFields", "NumEightBytes")) return {};
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
