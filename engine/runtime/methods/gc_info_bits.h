// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "memory/address_space.h"
#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// Reads GC info bit by bit, least significant first (BitStreamReader, src/coreclr/inc/gcinfodecoder.h). How many bytes
/// it has is written nowhere, so pieces of memory are fetched as they are reached. Once a read fails, all later ones
/// fail too. A copy goes on reading on its own.
class GcInfoBits {
 public:
  GcInfoBits(const AddressSpace& memory, Address start) : m_memory(&memory), m_start(start) {}
  /// Reads only these bytes.
  explicit GcInfoBits(Bytes bytes) : m_piece(bytes) {}

  /// At most 32 bits; 0 if they cannot be read.
  std::uint32_t read(unsigned bits);
  bool readFlag() { return read(1) != 0; }
  /// A number in groups of `base` bits, low ones first, each with one more bit that says whether another one follows.
  std::uint32_t readUnsigned(unsigned base);
  /// Like readUnsigned(), and the highest bit of the last group is the sign.
  std::int32_t readSigned(unsigned base);

  /// In bits from the start of the GC info.
  std::uint64_t position() const { return m_position; }
  void seek(std::uint64_t position) { m_position = position; }
  void skip(std::uint64_t bits) { m_position += bits; }
  /// To the next whole byte, counted from the start of the GC info.
  void alignToByte() { m_position = alignUp(m_position, 8); }

  bool failed() const { return m_isMissing || m_isDamaged; }
  /// Failed because memory is not in the dump, else because a number is too large for what it counts.
  bool isMissing() const { return m_isMissing; }
  /// Where reading has come to.
  Address address() const { return m_start + m_position / 8; }

 private:
  std::uint64_t readGroups(unsigned base, unsigned& bits);
  bool fetch(std::uint64_t byte);
  std::uint32_t readAcrossPieces(unsigned bits);

  const AddressSpace* m_memory = nullptr;
  Address m_start;
  Bytes m_piece;                   // what was fetched last
  std::uint64_t m_pieceStart = 0;  // in bytes from the start of the GC info
  std::uint64_t m_position = 0;
  bool m_isMissing = false;
  bool m_isDamaged = false;
};

/// What every GC info begins with (GcInfoDecoder, src/coreclr/vm/gcinfodecoder.cpp).
struct GcInfoStart {
  bool isFat = false;       // has all its members; else a short form for ordinary methods
  std::uint32_t flags = 0;  // GcInfoHeaderFlags; of the short form one bit
  std::uint32_t codeLength = 0;
  std::uint32_t returnKind = 0;  // ReturnKind (src/coreclr/inc/gcinfotypes.h), until .NET 9
};
/// Reads up to behind the length; whether that failed, `bits` tells. `hasReturnKind`: until .NET 9 the head says what
/// kind of value the method returns. `lengthShift`: the length is divided by 2 to this power, as instructions are
/// aligned.
GcInfoStart readGcInfoStart(GcInfoBits& bits, bool hasReturnKind, unsigned lengthShift);

/// Bytes of a method's code with its funclets, as the head of its GC info has it (src/coreclr/inc/gcinfodecoder.h);
/// nullopt if the GC info is not in the dump or makes no sense.
std::optional<std::uint32_t> codeLengthInGcInfo(const ClrRuntime& runtime, Address gcInfo);

}  // namespace heapscape::engine
