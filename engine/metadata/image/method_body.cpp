// SPDX-License-Identifier: MIT
#include "metadata/image/method_body.h"

namespace heapscape::engine {

Result<Token> localSignatureOf(const PeReader& read, bool mapped, std::uint32_t rva) {
  constexpr std::uint8_t kFormMask = 3;
  constexpr std::uint8_t kFat = 3;
  constexpr std::uint8_t kTiny = 2;
  constexpr std::uint64_t kSignatureAt = 8;
  HEAPSCAPE_TRY(const std::uint64_t body, locateRva(read, mapped, rva));
  std::uint8_t flags = 0;
  if (!read(body, std::as_writable_bytes(std::span(&flags, 1))))
    return failure(ErrorCode::NotInDump,
                   "The method's IL, which says what types its locals have, is neither in the dump nor on this disk.");
  if ((flags & kFormMask) == kTiny) return Token{};
  std::uint32_t token = 0;
  if ((flags & kFormMask) != kFat) return failure(ErrorCode::Damaged, "The IL of a method has no head.");
  if (!read(body + kSignatureAt, std::as_writable_bytes(std::span(&token, 1))))
    return failure(ErrorCode::NotInDump,
                   "The method's IL, which says what types its locals have, is neither in the dump nor on this disk.");
  const Token signature{static_cast<TableId>(token >> 24), token & 0xffffff};
  if (token != 0 && signature.table != TableId::StandAloneSig)
    return failure(ErrorCode::Damaged, "The IL of a method names no signature for its variables.");
  return token == 0 ? Token{} : signature;
}

}  // namespace heapscape::engine
