// SPDX-License-Identifier: MIT
#include "metadata/il/il_body.h"

#include <array>
#include <type_traits>

#include "base/address.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kMostIlBytes = 16u << 20;
constexpr std::size_t kMostSections = 16;

tl::unexpected<Error> missingIl() {
  return failure(ErrorCode::NotInDump, "The dump lacks the method's IL.");
}

template <class T>
bool tryReadValue(const PeReader& read, std::uint64_t offset, T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return read(offset, std::as_writable_bytes(std::span(&value, 1)));
}

/// One section of clauses, small or fat.
Result<void> addClauses(const PeReader& read, std::uint64_t offset, std::uint32_t bytes, bool isFat, IlBody& body) {
  constexpr std::uint32_t kHead = 4;
  const std::uint32_t size = isFat ? 24 : 12;
  std::vector<std::byte> rows(bytes - std::min(bytes, kHead));
  if (!rows.empty() && !read(offset + kHead, rows)) return missingIl();
  BoundedReader reader(rows);
  for (std::size_t i = 0; i < rows.size() / size; ++i) {
    const auto number = [&](bool isShort) -> std::uint32_t {
      if (isFat) return reader.read<std::uint32_t>();
      return isShort ? reader.read<std::uint8_t>() : reader.read<std::uint16_t>();
    };
    IlClause clause;
    clause.flags = number(false);
    clause.tryStart = number(false);
    clause.tryBytes = number(true);
    clause.handlerStart = number(false);
    clause.handlerBytes = number(true);
    clause.tokenOrFilter = reader.read<std::uint32_t>();
    body.clauses.push_back(clause);
  }
  return {};
}

Result<void> readSections(const PeReader& read, std::uint64_t offset, IlBody& body) {
  constexpr std::uint32_t kClauses = 0x01;
  constexpr std::uint32_t kKindMask = 0x3f;
  constexpr std::uint32_t kFat = 0x40;
  constexpr std::uint32_t kMore = 0x80;
  std::uint32_t kind = kMore;
  for (std::size_t i = 0; i < kMostSections && (kind & kMore); ++i) {
    offset = alignUp(offset, 4);
    std::uint32_t word = 0;
    if (!tryReadValue(read, offset, word)) return missingIl();
    kind = word & 0xff;
    const bool isFat = (kind & kFat) != 0;
    const std::uint32_t bytes = isFat ? word >> 8 : word >> 8 & 0xff;
    if (bytes > kMostIlBytes) return failure(ErrorCode::Damaged, "The IL of a method has too many clauses.");
    if ((kind & kKindMask) == kClauses) HEAPSCAPE_CHECK(addClauses(read, offset, bytes, isFat, body));
    offset += std::max(bytes, 4u);
  }
  return {};
}

}  // namespace

Result<IlHead> readIlHead(const PeReader& read, std::uint64_t offset) {
  constexpr std::uint8_t kFormMask = 3;
  constexpr std::uint8_t kTiny = 2;
  constexpr std::uint8_t kFat = 3;
  constexpr std::uint16_t kMoreSections = 8;
  IlHead head;
  std::uint8_t form = 0;
  if (!tryReadValue(read, offset, form)) return missingIl();
  if ((form & kFormMask) == kTiny) {
    head.codeBytes = form >> 2;
    return head;
  }
  if ((form & kFormMask) != kFat) return failure(ErrorCode::Damaged, "The IL of a method has no head.");
  std::array<std::byte, 12> bytes{};
  if (!read(offset, bytes)) return missingIl();
  BoundedReader reader(bytes);
  const auto flags = reader.read<std::uint16_t>();
  head.maxStack = reader.read<std::uint16_t>();
  head.codeBytes = reader.read<std::uint32_t>();
  const auto token = reader.read<std::uint32_t>();
  head.headBytes = (flags >> 12) * 4u;
  head.hasSections = (flags & kMoreSections) != 0;
  head.localSignature = Token{static_cast<TableId>(token >> 24), token & 0xffffff};
  if (token != 0 && head.localSignature.table != TableId::StandAloneSig)
    return failure(ErrorCode::Damaged, "The IL of a method names no signature for its variables.");
  if (token == 0) head.localSignature = {};
  if (head.codeBytes > kMostIlBytes || head.headBytes < bytes.size())
    return failure(ErrorCode::Damaged, "The IL of a method is longer than any real one.");
  return head;
}

Result<IlBody> readIlBody(const PeReader& read, std::uint64_t offset) {
  IlBody body;
  HEAPSCAPE_TRY(body.head, readIlHead(read, offset));
  body.code.resize(body.head.codeBytes);
  if (!body.code.empty() && !read(offset + body.head.headBytes, body.code)) return missingIl();
  if (body.head.hasSections)
    HEAPSCAPE_CHECK(readSections(read, offset + body.head.headBytes + body.head.codeBytes, body));
  return body;
}

}  // namespace heapscape::engine
