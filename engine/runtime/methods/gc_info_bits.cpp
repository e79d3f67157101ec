// SPDX-License-Identifier: MIT
#include "runtime/methods/gc_info_bits.h"

#include <algorithm>

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kPieceBytes = 4096;
// Far more than any method has: what leads behind it is no place in GC info.
constexpr std::uint64_t kMostBits = 8ull << 28;
constexpr unsigned kNumberBits = 32;

}  // namespace

std::uint32_t GcInfoBits::read(unsigned bits) {
  const std::uint64_t byte = m_position / 8;
  std::uint64_t word = 0;
  if (byte < m_pieceStart || byte - m_pieceStart + sizeof(word) > m_piece.size()) return readAcrossPieces(bits);
  if (failed()) return 0;
  std::memcpy(&word, m_piece.data() + (byte - m_pieceStart), sizeof(word));
  word >>= m_position % 8;
  m_position += bits;
  return static_cast<std::uint32_t>(word & ((std::uint64_t{1} << bits) - 1));
}

std::uint32_t GcInfoBits::readAcrossPieces(unsigned bits) {
  std::uint64_t value = 0;
  for (unsigned done = 0; done < bits;) {
    const std::uint64_t byte = m_position / 8;
    if (failed() || !fetch(byte)) return 0;
    const auto used = static_cast<unsigned>(m_position % 8);
    const unsigned taken = std::min(8 - used, bits - done);
    const auto rest = static_cast<std::uint64_t>(m_piece[static_cast<std::size_t>(byte - m_pieceStart)]) >> used;
    value |= (rest & ((1u << taken) - 1)) << done;
    done += taken;
    m_position += taken;
  }
  return static_cast<std::uint32_t>(value);
}

bool GcInfoBits::fetch(std::uint64_t byte) {
  if (byte >= m_pieceStart && byte - m_pieceStart < m_piece.size()) return true;
  if (byte > kMostBits / 8) {
    m_isDamaged = true;
    return false;
  }
  // Tables are also read backwards, so whole pieces are better than what follows.
  for (const std::uint64_t start : {byte - byte % kPieceBytes, byte}) {
    const Bytes piece = m_memory ? m_memory->prefix(m_start + start, kPieceBytes) : Bytes{};
    if (byte - start >= piece.size()) continue;
    m_piece = piece;
    m_pieceStart = start;
    return true;
  }
  m_isMissing = true;
  return false;
}

std::uint64_t GcInfoBits::readGroups(unsigned base, unsigned& bits) {
  const std::uint32_t mask = (1u << base) - 1;
  std::uint64_t value = 0;
  for (bits = 0; bits < kNumberBits && !failed();) {
    const std::uint32_t group = read(base + 1);
    value |= std::uint64_t{group & mask} << bits;
    bits += base;
    if (group >> base == 0) return value;
  }
  m_isDamaged = m_isDamaged || !m_isMissing;
  return 0;
}

std::uint32_t GcInfoBits::readUnsigned(unsigned base) {
  unsigned bits = 0;
  const std::uint64_t value = readGroups(base, bits);
  if (value > UINT32_MAX) m_isDamaged = true;
  return failed() ? 0 : static_cast<std::uint32_t>(value);
}

std::int32_t GcInfoBits::readSigned(unsigned base) {
  unsigned bits = 0;
  const std::uint64_t value = readGroups(base, bits);
  if (failed()) return 0;
  const bool isNegative = (value >> (bits - 1) & 1) != 0;
  const std::int64_t number =
      static_cast<std::int64_t>(value) - (isNegative ? std::int64_t{1} << bits : std::int64_t{0});
  if (number < INT32_MIN || number > INT32_MAX) m_isDamaged = true;
  return failed() ? 0 : static_cast<std::int32_t>(number);
}

namespace {

constexpr unsigned kFatFlagBits = 10;
constexpr unsigned kSlimFlagBits = 1;
constexpr unsigned kFatReturnKindBits = 4;
constexpr unsigned kSlimReturnKindBits = 2;
constexpr unsigned kLengthBase = 8;

}  // namespace

GcInfoStart readGcInfoStart(GcInfoBits& bits, bool hasReturnKind, unsigned lengthShift) {
  GcInfoStart start;
  start.isFat = bits.readFlag();
  start.flags = bits.read(start.isFat ? kFatFlagBits : kSlimFlagBits);
  if (hasReturnKind) start.returnKind = bits.read(start.isFat ? kFatReturnKindBits : kSlimReturnKindBits);
  const std::uint64_t length = std::uint64_t{bits.readUnsigned(kLengthBase)} << lengthShift;
  start.codeLength = length > UINT32_MAX ? 0 : static_cast<std::uint32_t>(length);
  return start;
}

std::optional<std::uint32_t> codeLengthInGcInfo(const ClrRuntime& runtime, Address gcInfo) {
  if (!gcInfo) return std::nullopt;
  GcInfoBits bits(runtime.memory(), gcInfo);
  const Contract& contract = runtime.contract();
  const GcInfoStart start = readGcInfoStart(bits, contract.constant("GcInfo.HasReturnKind") != 0,
                                            static_cast<unsigned>(contract.constant("GcInfo.CodeLengthShift")));
  return bits.failed() || start.codeLength == 0 ? std::nullopt : std::optional(start.codeLength);
}

}  // namespace heapscape::engine
