// SPDX-License-Identifier: MIT
#include "runtime/types/ee_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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
    for (std::size_t size = kCounts.size() * (kLengthBits + kLongestNumber) / 8 + 1; size > 0; --size) {
      counts.m_packed.resize(size);
      if (runtime.memory().tryRead(counts.m_start, std::span(counts.m_packed))) return counts;
    }
    return failure(ErrorCode::NotInDump,
                   fmt::format("The dump does not hold the field counts of method table {}.", toString(type.address)));
  }

  Result<std::uint32_t> read(std::string_view name) const {
    const std::uint64_t index = m_runtime.contract().offset(kBehind, name);
    if (!m_isPacked) return m_runtime.memory().read<std::uint32_t>(m_start + sizeof(std::uint32_t) * index);
    if (const auto number = packedNumber(m_packed, index)) return *number;
    return failure(ErrorCode::Damaged, fmt::format("The packed field counts at {} are cut.", toString(m_start)));
  }

 private:
  explicit CountsBehind(const ClrRuntime& runtime) : m_runtime(runtime) {}

  const ClrRuntime& m_runtime;
  Address m_start;
  bool m_isPacked = false;
  std::vector<std::byte> m_packed;
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
  HEAPSCAPE_TRY(const auto figures, readEEClassFigures(runtime, type));
  const auto count = [&](std::string_view name) {
    const auto figure = std::ranges::find(figures, name, &EEClassFigure::name);
    return figure == figures.end() ? 0 : figure->value;
  };
  return EEClassCounts{.instanceFields = count("NumInstanceFields"),
                       .methods = count("NumMethods"),
                       .staticFields = count("NumStaticFields"),
                       .threadStaticFields = count("NumThreadStaticFields"),
                       .nonVirtualSlots = count("NumNonVirtualSlots")};
}

}  // namespace heapscape::engine
