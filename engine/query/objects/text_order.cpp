// SPDX-License-Identifier: MIT
#include "query/objects/text_order.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <utility>
#include <vector>

#include "base/large_array.h"
#include "query/objects/key_order.h"

namespace heapscape::engine {
namespace {

using Texts = std::span<PlacedText>;

constexpr std::size_t kInWindow = sizeof(std::uint64_t);
constexpr std::size_t kCompared = 16;        // so few are compared as they are
constexpr std::size_t kOfOneCore = 1 << 14;  // more are shared by all
constexpr std::size_t kTextsAtOnce = 1 << 14;
constexpr std::size_t kShareWorthKeeping = 8;  // a smaller share is chosen before it is sorted
constexpr std::size_t kSampledTexts = 1 << 13;

/// The next bytes of a text, the first of them weighing most; zeros behind its end.
std::uint64_t windowOf(const PlacedText& text, std::size_t from) {
  std::uint64_t window = 0;
  if (from + kInWindow <= text.bytes) {
    std::memcpy(&window, text.begin + from, kInWindow);
  } else if (from < text.bytes) {
    std::memcpy(&window, text.begin + from, text.bytes - from);
  }
  return __builtin_bswap64(window);
}

/// From `from` on, up to `most`, how many bytes two texts have in common.
std::size_t commonBytes(const PlacedText& one, const PlacedText& other, std::size_t from, std::size_t most) {
  const std::size_t end = std::min<std::size_t>({one.bytes, other.bytes, from + most});
  std::size_t at = from;
  for (; at + kInWindow <= end; at += kInWindow) {
    std::uint64_t left = 0, right = 0;
    std::memcpy(&left, one.begin + at, kInWindow);
    std::memcpy(&right, other.begin + at, kInWindow);
    if (left != right) return at - from + static_cast<std::size_t>(__builtin_ctzll(left ^ right)) / 8;
  }
  while (at < end && one.begin[at] == other.begin[at]) ++at;
  return at - from;
}

std::size_t commonBytes(Texts texts, std::size_t from, std::size_t most) {
  constexpr std::size_t kAhead = 16;
  for (std::size_t i = 1; i < texts.size() && most > 0; ++i) {
    if (i + kAhead < texts.size()) __builtin_prefetch(texts[i + kAhead].begin + from);
    most = commonBytes(texts[0], texts[i], from, most);
  }
  return most;
}

/// What windows of some texts differ in.
struct Differences {
  std::uint64_t bits = 0;
  bool isEnd = false;  // some text ends there

  void add(const Differences& others) {
    bits |= others.bits;
    isEnd |= others.isEnd;
  }
};

/// Makes small numbers of windows, which are in the same order: of bits that differ alone. Takes fewer bytes if the
/// numbers would have too many bits.
class ShortWindows {
 public:
  ShortWindows(const Differences& differences, int mostBits) : m_isEnd(differences.isEnd) {
    m_bits = m_isEnd ? kCountBits : 0;
    for (; m_bytes < kInWindow; ++m_bytes) {
      const auto shift = static_cast<int>(8 * (kInWindow - 1 - m_bytes));
      const auto ofByte = static_cast<std::uint32_t>(differences.bits >> shift & 0xff);
      if (ofByte == 0) continue;
      const int lowest = std::countr_zero(ofByte);
      const int width = static_cast<int>(std::bit_width(ofByte)) - lowest;
      if (m_bits + width > mostBits) break;
      m_bits += width;
      m_pieces[m_pieceCount++] = {shift + lowest, width};
    }
  }

  std::size_t bytes() const { return m_bytes; }
  int bits() const { return m_bits; }
  /// Zeros of a text are told from what is behind its end by how many bytes there are.
  std::uint64_t numberOf(const PlacedText& text, std::size_t from) const {
    const std::uint64_t window = windowOf(text, from);
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < m_pieceCount; ++i) {
      const auto [shift, width] = m_pieces[i];
      number = number << width | (window >> shift & ((1u << width) - 1));
    }
    return m_isEnd ? number << kCountBits | std::min(text.bytes - from, m_bytes) : number;
  }

 private:
  static constexpr int kCountBits = 4;
  struct Piece {
    int shift = 0, width = 0;
  };

  std::array<Piece, kInWindow> m_pieces;
  std::size_t m_pieceCount = 0;
  std::size_t m_bytes = 0;
  int m_bits = 0;
  const bool m_isEnd;
};

/// Sorts numbers by some of their bits, eight at a time; those that are the same in these stay in their order.
void sortByBits(std::vector<std::uint64_t>& numbers, std::vector<std::uint64_t>& room, int firstBit, int bits) {
  constexpr int kDigitBits = 8;
  room.resize(numbers.size());
  for (int shift = firstBit; shift < firstBit + bits; shift += kDigitBits) {
    std::array<std::uint32_t, 1 << kDigitBits> next = {};
    for (const std::uint64_t number : numbers) ++next[number >> shift & (next.size() - 1)];
    std::uint32_t before = 0;
    for (std::uint32_t& ofDigit : next) before += std::exchange(ofDigit, before);
    for (const std::uint64_t number : numbers) room[next[number >> shift & (next.size() - 1)]++] = number;
    std::swap(numbers, room);
  }
}

template <class Visit>
void inPartsOf(Texts texts, const Visit& visit) {
  tbb::parallel_for(std::size_t{0}, (texts.size() + kTextsAtOnce - 1) / kTextsAtOnce, [&](std::size_t part) {
    visit(part, texts.subspan(part * kTextsAtOnce, std::min(kTextsAtOnce, texts.size() - part * kTextsAtOnce)));
  });
}

class TextOrder {
 public:
  explicit TextOrder(const std::stop_token& stop) : m_stop(stop) {}

  /// All that are alike in their first `from` bytes.
  void sort(Texts texts, std::size_t from) {
    if (texts.size() <= kCompared) {
      std::ranges::sort(texts, [from](const PlacedText& left, const PlacedText& right) {
        const int order = left.text().substr(from).compare(right.text().substr(from));
        return order != 0 ? order < 0 : left.place < right.place;
      });
    } else if (!m_stop.stop_requested()) {
      texts.size() > kOfOneCore ? sortOnAllCores(texts, from) : sortOnOneCore(texts, from);
    }
  }

 private:
  struct Room {
    std::vector<std::uint64_t> numbers, sorted;
    std::vector<PlacedText> texts;
  };

  static int placeBitsOf(Texts texts) { return static_cast<int>(std::bit_width(texts.size() - 1)); }

  static Differences differencesIn(Texts texts, const PlacedText& from0, std::size_t from) {
    const std::uint64_t first = windowOf(from0, from);
    Differences found;
    for (const PlacedText& text : texts) found.add({windowOf(text, from) ^ first, text.bytes < from + kInWindow});
    return found;
  }

  void sortOnOneCore(Texts texts, std::size_t from) {
    from += commonBytes(texts, from, texts[0].bytes - from);
    const int placeBits = placeBitsOf(texts);
    const ShortWindows windows(differencesIn(texts, texts[0], from), 64 - placeBits);
    Room& room = m_rooms.local();
    room.numbers.clear();
    for (std::size_t i = 0; i < texts.size(); ++i)
      room.numbers.push_back(windows.numberOf(texts[i], from) << placeBits | i);
    sortByBits(room.numbers, room.sorted, placeBits, windows.bits());
    room.texts.assign(texts.begin(), texts.end());
    const std::uint64_t placeMask = (std::uint64_t{1} << placeBits) - 1;
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = room.texts[room.numbers[i] & placeMask];
    std::vector<Texts> runs;
    forEachRun(
        texts, from + windows.bytes(), [&](std::size_t i) { return room.numbers[i] >> placeBits; },
        [&](Texts run) { runs.push_back(run); });
    for (const Texts run : runs) sort(run, from + windows.bytes());
  }

  void sortOnAllCores(Texts texts, std::size_t from) {
    from += commonOfParts(texts, from);
    std::vector<Differences> ofParts((texts.size() + kTextsAtOnce - 1) / kTextsAtOnce);
    inPartsOf(texts, [&](std::size_t part, Texts some) { ofParts[part] = differencesIn(some, texts[0], from); });
    Differences differences;
    for (const Differences& part : ofParts) differences.add(part);
    // One bit more, so that what has no number can be put behind all others.
    const ShortWindows windows(differences, 63 - placeBitsOf(texts));
    LargeArray<std::uint64_t> numbers(texts.size()), toSort(texts.size());
    LargeArray<PlacedText> before(texts.size());
    inPartsOf(texts, [&](std::size_t part, Texts some) {
      for (std::size_t i = 0, at = part * kTextsAtOnce; i < some.size(); ++i, ++at) {
        before[at] = some[i];
        numbers[at] = toSort[at] = windows.numberOf(some[i], from);
      }
    });
    const std::vector<std::uint32_t> order = placesInOrder(
        std::move(toSort), texts.size(), [](double) {}, m_stop);
    if (m_stop.stop_requested()) return;
    inPartsOf(texts, [&](std::size_t part, Texts some) {
      for (std::size_t i = 0; i < some.size(); ++i) some[i] = before[order[part * kTextsAtOnce + i]];
    });
    std::vector<Texts> runs;
    forEachRun(
        texts, from + windows.bytes(), [&](std::size_t i) { return numbers[order[i]]; },
        [&](Texts run) { runs.push_back(run); });
    tbb::parallel_for(std::size_t{0}, runs.size(), [&](std::size_t i) { sort(runs[i], from + windows.bytes()); });
  }

  /// Those that are still alike and do not end before `behind`.
  template <class NumberAt, class Visit>
  static void forEachRun(Texts texts, std::size_t behind, const NumberAt& numberAt, const Visit& visit) {
    for (std::size_t begin = 0, end = 0; begin < texts.size(); begin = end) {
      const std::uint64_t number = numberAt(begin);
      while (end < texts.size() && numberAt(end) == number) ++end;
      if (end - begin > 1 && texts[begin].bytes >= behind) visit(texts.subspan(begin, end - begin));
    }
  }

  static std::size_t commonOfParts(Texts texts, std::size_t from) {
    std::vector<std::size_t> common((texts.size() + kTextsAtOnce - 1) / kTextsAtOnce);
    inPartsOf(texts, [&](std::size_t part, Texts some) {
      const std::size_t withFirst = commonBytes(texts[0], some[0], from, texts[0].bytes - from);
      common[part] = commonBytes(some, from, withFirst);
    });
    return std::ranges::min(common);
  }

  const std::stop_token& m_stop;
  tbb::enumerable_thread_specific<Room> m_rooms;
};

}  // namespace

void sortTexts(std::span<PlacedText> texts, const std::stop_token& stop) {
  TextOrder(stop).sort(texts, 0);
}

std::size_t keepFirst(std::span<PlacedText> texts, std::size_t wanted, bool descending) {
  if (texts.size() < 2 * kSampledTexts || wanted > texts.size() / kShareWorthKeeping) return texts.size();
  const auto isBefore = [descending](const PlacedText& left, const PlacedText& right) {
    return descending ? right.text() < left.text() : left.text() < right.text();
  };
  std::vector<PlacedText> sample;
  for (std::size_t i = 0; i < kSampledTexts; ++i) sample.push_back(texts[i * texts.size() / kSampledTexts]);
  constexpr std::size_t kMargin = 16;
  const std::size_t behind = 2 * wanted * kSampledTexts / texts.size() + kMargin;
  std::ranges::nth_element(sample, sample.begin() + static_cast<std::ptrdiff_t>(behind), isBefore);
  std::vector<std::vector<PlacedText>> parts((texts.size() + kTextsAtOnce - 1) / kTextsAtOnce);
  inPartsOf(texts, [&](std::size_t part, Texts some) {
    std::ranges::copy_if(some, std::back_inserter(parts[part]),
                         [&](const PlacedText& text) { return isBefore(text, sample[behind]); });
  });
  std::size_t kept = 0;
  for (const std::vector<PlacedText>& part : parts) kept += part.size();
  if (kept < wanted) return texts.size();
  auto end = texts.begin();
  for (const std::vector<PlacedText>& part : parts) end = std::ranges::copy(part, end).out;
  return kept;
}

}  // namespace heapscape::engine
