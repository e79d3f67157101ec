// SPDX-License-Identifier: MIT
#include "redact/native_words.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kChunkHeaderBytes = 16;
constexpr std::uint64_t kLeastChunkBytes = 32;
constexpr std::uint64_t kChunkFlags = 7;
constexpr std::uint64_t kIsMapped = 2;
constexpr std::uint64_t kMostArenaHead = 4096;  // heap_info and malloc_state in front of the first piece
constexpr std::size_t kLeastText = 4;
constexpr std::uint64_t kMostPages = 32;  // of a piece whose end nothing tells
constexpr std::size_t kMostBefore = 3;
constexpr std::size_t kLeastPieces = 4;  // that make it sure

bool isPrintable(std::uint32_t character) {
  return character >= 0x20 && character < 0x7f;
}

bool looksLikeText(std::uint64_t word) {
  int run = 0;
  for (int i = 0; i < 8; ++i) {
    run = isPrintable(static_cast<std::uint32_t>(word >> i * 8 & 0xff)) ? run + 1 : 0;
    if (run == 3) return true;
  }
  run = 0;
  for (int i = 0; i < 4; ++i) {
    run = isPrintable(static_cast<std::uint32_t>(word >> i * 16 & 0xffff)) ? run + 1 : 0;
    if (run == 2) return true;
  }
  return false;
}

/// Ends of the pieces that follow each other from an address on; empty if they do not come to the end of the range, or
/// to the piece that all the rest is cut from.
std::vector<AddressRange> piecesFrom(Bytes bytes, AddressRange range, std::uint64_t offset) {
  std::vector<AddressRange> pieces;
  while (offset + kChunkHeaderBytes <= bytes.size()) {
    std::uint64_t size = 0;
    tryReadAt(bytes, offset + kPointerBytes, size);
    const std::uint64_t flags = size & kChunkFlags;
    size &= ~kChunkFlags;
    // Behind the last one may be memory that was used before, or is kept for later.
    if (size == 0 && areZero(bytes.subspan(offset, kChunkHeaderBytes)) && pieces.size() >= kLeastPieces) break;
    if (size < kChunkHeaderBytes || size % kChunkHeaderBytes != 0 || (flags & kIsMapped)) return {};
    if (size > bytes.size() - offset) return {};
    // A piece may use the first word of the next one's header.
    pieces.push_back({range.start + offset + kChunkHeaderBytes,
                      range.start + std::min<std::uint64_t>(bytes.size(), offset + size + kPointerBytes)});
    offset += size;
    if (offset == bytes.size()) break;
  }
  return pieces;
}

}  // namespace

bool isInText(Bytes bytes, std::size_t offset, const MappedAddresses& mapped) {
  constexpr std::size_t kLeastRun = 6;
  // The word with both its neighbours, addresses among them left out.
  std::array<std::byte, 3 * kPointerBytes> around{};
  for (std::size_t i = 0; i < 3; ++i) {
    std::uint64_t word = 0;
    if (offset + i * kPointerBytes < kPointerBytes ||
        !tryReadAt(bytes, offset + i * kPointerBytes - kPointerBytes, word))
      continue;
    if (!isAddress(word, mapped)) std::memcpy(around.data() + i * kPointerBytes, &word, sizeof word);
  }
  for (const std::size_t width : {std::size_t{1}, std::size_t{2}}) {
    std::size_t run = 0;
    bool touches = false;  // the run has a byte of the word
    for (std::size_t at = 0; at + width <= around.size(); at += width) {
      const auto low = static_cast<std::uint32_t>(around[at]);
      const std::uint32_t character = width == 1 ? low : low | static_cast<std::uint32_t>(around[at + 1]) << 8;
      if (!isPrintable(character)) {
        run = 0;
        touches = false;
        continue;
      }
      ++run;
      touches |= at + width > kPointerBytes && at < 2 * kPointerBytes;
      // Characters of two bytes are rarer among numbers.
      if (touches && run >= (width == 1 ? kLeastRun : kLeastRun / 2)) return true;
    }
  }
  return false;
}

std::uint64_t plainNumbersOf(std::uint64_t word) {
  constexpr std::uint64_t kMostHigh = 0x10000;
  constexpr std::uint64_t kMostHalf = 0x100000;
  constexpr std::uint64_t kOnes = 0xffffffff;
  constexpr std::uint64_t kMostUnit = 0x200;
  const std::uint64_t high = word >> 32;
  const std::uint64_t low = word & kOnes;
  const bool isHighPlain = high < kMostHigh || high == kOnes;
  if (isHighPlain && !looksLikeText(word)) return word;
  std::uint64_t plain = isHighPlain ? word - low : 0;
  if ((low < kMostHalf || low == kOnes || isHighPlain) && !looksLikeText(low)) plain |= low;
  // Among other things may stand a flag, or a byte or two that count.
  for (int i = 0; i < 4; ++i) {
    const std::uint64_t unit = word >> i * 16 & 0xffff;
    if (unit < kMostUnit && !isPrintable(static_cast<std::uint32_t>(unit))) plain |= unit << i * 16;
  }
  return plain;
}

std::uint64_t plainHalvesOf(std::uint64_t word) {
  const std::uint64_t lost = word & ~plainNumbersOf(word);
  std::uint64_t halves = 0;
  for (const std::uint64_t half : {std::uint64_t{0xffffffff}, std::uint64_t{0xffffffff} << 32})
    if ((lost & half) == 0) halves |= word & half;
  return halves;
}

std::uint64_t failureCodesOf(std::uint64_t word) {
  constexpr std::uint64_t kFailure = 0x80;
  std::uint64_t codes = 0;
  if ((word >> 24 & 0xff) == kFailure) codes |= word & 0xffffffff;
  if (word >> 56 == kFailure) codes |= word >> 32 << 32;
  return codes;
}

std::vector<AddressRange> allocatedPieces(const AddressSpace& memory, std::span<const AddressRange> ranges) {
  std::vector<AddressRange> pieces;
  for (const AddressRange& range : ranges) {
    const auto view = memory.view(range);
    if (!view) continue;
    const Bytes bytes = view->bytes;
    std::vector<AddressRange> found;
    for (std::uint64_t start = 0; start < std::min<std::uint64_t>(kMostArenaHead, bytes.size());
         start += kChunkHeaderBytes) {
      found = piecesFrom(bytes, range, start);
      if (found.size() > 1) break;
      found.clear();
    }
    if (found.empty()) {
      // Large pieces with pages of their own may follow each other, with other mappings in between.
      for (std::uint64_t at = 0; at + kChunkHeaderBytes <= bytes.size();) {
        std::uint64_t before = 0, size = 0;
        tryReadAt(bytes, at, before);
        tryReadAt(bytes, at + kPointerBytes, size);
        const bool isMapped = before == 0 && (size & kChunkFlags) == kIsMapped;
        size &= ~kChunkFlags;
        if (isMapped && size % kPageBytes == 0 && size >= kLeastChunkBytes && size <= bytes.size() - at) {
          found.push_back({range.start + at + kChunkHeaderBytes, range.start + at + size});
          at += size;
        } else {
          at += kPageBytes;
        }
      }
    }
    pieces.insert(pieces.end(), found.begin(), found.end());
  }
  return pieces;
}

NativeReach::NativeReach(const AddressSpace& memory, std::vector<AddressRange> ranges, bool isGlibc)
    : m_memory(memory), m_isGlibc(isGlibc), m_ranges(std::move(ranges)) {
  if (isGlibc) m_pieces = allocatedPieces(memory, m_ranges);
  m_isTaken.resize(m_pieces.size());
}

void NativeReach::follow(AddressRange range) {
  for (const AddressRange& part : m_memory.present(range)) {
    const Address start{alignUp(part.start.value, kPointerBytes)};
    for (Address at = start; at + kPointerBytes <= part.end;) {
      const Bytes bytes = m_memory.prefix(at, part.end - at);
      if (bytes.size() < kPointerBytes) break;
      for (std::uint64_t offset = 0; offset + kPointerBytes <= bytes.size(); offset += kPointerBytes) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + offset, sizeof word);
        take(word);
      }
      at += bytes.size() / kPointerBytes * kPointerBytes;
    }
  }
}

void NativeReach::take(std::uint64_t word) {
  const Address address{word};
  if (m_ranges.empty() || address < m_ranges.front().start || address >= m_ranges.back().end) return;
  const auto range = std::ranges::upper_bound(m_ranges, address, {}, [](const AddressRange& one) { return one.end; });
  if (range == m_ranges.end() || address < range->start) return;
  // The first word of a piece's successor is its own; so pieces overlap, and the one that begins later is meant.
  auto piece = std::ranges::upper_bound(m_pieces, address, {}, [](const AddressRange& one) { return one.start; });
  if (piece != m_pieces.begin() && (--piece)->contains(address)) {
    const auto index = static_cast<std::size_t>(piece - m_pieces.begin());
    if (m_isTaken[index]) return;
    m_isTaken[index] = true;
    m_waiting.push_back(*piece);
    return;
  }
  // Between two pieces is nothing.
  const bool isAmongPieces = piece != m_pieces.end() && range->contains(piece->start);
  if (isAmongPieces) return;
  const std::uint64_t page = word / kPageBytes;
  // Of other C libraries nothing tells where a piece ends. What was mapped by itself is read as a whole where it is
  // small: tables of the runtime, which their readers take in one go.
  const bool isSmall = range->sizeBytes() <= kMostPages * kPageBytes;
  const std::uint64_t pages = m_isGlibc && !isSmall ? 1 : kMostPages;
  const std::uint64_t last = std::min(page + pages, (range->end.value - 1) / kPageBytes);
  for (std::uint64_t one = page; one <= last; ++one) {
    const AddressRange part{std::max(range->start, Address{one * kPageBytes}),
                            std::min(range->end, Address{(one + 1) * kPageBytes})};
    if (!part.isEmpty() && m_pages.insert(one).second) m_waiting.push_back(part);
  }
}

AddressRange NativeReach::pieceAt(Address address) const {
  auto piece = std::ranges::upper_bound(m_pieces, address, {}, [](const AddressRange& one) { return one.start; });
  return piece != m_pieces.begin() && (--piece)->contains(address) ? *piece : AddressRange{};
}

Outcome<std::vector<AddressRange>> NativeReach::reached(std::stop_token stop) {
  while (!m_waiting.empty()) {
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    const AddressRange range = m_waiting.back();
    m_waiting.pop_back();
    m_reached.push_back(range);
    follow(range);
  }
  std::ranges::sort(m_reached, {}, [](const AddressRange& range) { return range.start; });
  return m_reached;
}

namespace {

/// A text in characters of one or two bytes, and zeros up to the end of the last word, so that nothing else in that is
/// taken for a part of the text.
std::vector<std::byte> writtenAs(const std::string& text, std::size_t width, Address at) {
  std::vector<std::byte> written;
  for (const char character : text) {
    written.push_back(static_cast<std::byte>(character));
    if (width == 2) written.push_back(std::byte{0});
  }
  written.resize(alignUp((at + written.size()).value, kPointerBytes) - at.value);
  return written;
}

}  // namespace

void KeptTexts::findIn(const AddressSpace& memory, AddressRange range, std::vector<Found>& found) const {
  for (const AddressRange& part : memory.present(range)) {
    const auto view = memory.view(part);
    if (!view) continue;
    const Bytes bytes = view->bytes;
    const auto at = [&](std::size_t index) { return static_cast<unsigned char>(bytes[index]); };
    for (const std::size_t width : {std::size_t{1}, std::size_t{2}}) {
      for (std::size_t start = 0; start < bytes.size();) {
        std::size_t end = start;
        std::string text;
        while (end + width <= bytes.size() && isPrintable(at(end)) && (width == 1 || at(end + 1) == 0)) {
          text += static_cast<char>(at(end));
          end += width;
        }
        const bool isEnded = end + width <= bytes.size() && at(end) == 0 && (width == 1 || at(end + 1) == 0);
        // What stands in front of a text may look like a character of it.
        for (std::size_t before = 0; isEnded && before <= kMostBefore && text.size() >= before + kLeastText; ++before) {
          const auto known = m_texts.find(text.substr(before));
          if (known == m_texts.end()) continue;
          found.push_back({part.start + start + before * width,
                           writtenAs(known->second, width, part.start + start + before * width)});
          break;
        }
        start = std::max(end, start + 1);
      }
    }
  }
}

}  // namespace heapscape::engine
