// SPDX-License-Identifier: MIT
#include "runtime/gc_info_header.h"

#include <array>

namespace heapscape::engine {
namespace {

// Both forms of the head with the length are far shorter.
constexpr std::size_t kHeadBytes = 16;
constexpr unsigned kFatFlagBits = 10;
constexpr unsigned kSlimFlagBits = 1;
// Until .NET 9 the head tells what kind of value the method returns.
constexpr unsigned kFatReturnKindBits = 4;
constexpr unsigned kSlimReturnKindBits = 2;
constexpr unsigned kLengthBase = 8;  // bits of a part of a length; one more says whether another part follows

class BitReader {
 public:
  explicit BitReader(std::span<const std::byte> bytes) : m_bytes(bytes) {}

  std::uint32_t read(unsigned bits) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < bits; ++i, ++m_position) {
      if (m_position / 8 >= m_bytes.size()) {
        m_failed = true;
        return 0;
      }
      const auto byte = static_cast<std::uint32_t>(m_bytes[m_position / 8]);
      value |= (byte >> m_position % 8 & 1) << i;
    }
    return value;
  }

  std::uint32_t readLength() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 32 && !m_failed; shift += kLengthBase) {
      const std::uint32_t part = read(kLengthBase + 1);
      value |= std::uint64_t{part & ((1u << kLengthBase) - 1)} << shift;
      if (part >> kLengthBase == 0) return static_cast<std::uint32_t>(value);
    }
    m_failed = true;
    return 0;
  }

  bool failed() const { return m_failed; }

 private:
  std::span<const std::byte> m_bytes;
  std::size_t m_position = 0;
  bool m_failed = false;
};

}  // namespace

std::optional<std::uint32_t> codeLengthInGcInfo(const ClrRuntime& runtime, Address gcInfo) {
  if (!gcInfo) return std::nullopt;
  const Bytes head = runtime.memory().prefix(gcInfo, kHeadBytes);
  if (head.empty()) return std::nullopt;
  const bool hasReturnKind = runtime.contract().constant("GcInfo.HasReturnKind") != 0;
  BitReader reader(head);
  const bool isFat = reader.read(1) != 0;
  reader.read(isFat ? kFatFlagBits : kSlimFlagBits);
  if (hasReturnKind) reader.read(isFat ? kFatReturnKindBits : kSlimReturnKindBits);
  const std::uint32_t length = reader.readLength();
  return reader.failed() || length == 0 ? std::nullopt : std::optional(length);
}

}  // namespace heapscape::engine
