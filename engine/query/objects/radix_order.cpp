// SPDX-License-Identifier: MIT
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/progress.h"
#include "query/objects/key_order.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kLast = UINT64_MAX;        // of what has no number
constexpr std::size_t kNumbersAtOnce = 1 << 16;    // that one core takes
constexpr std::size_t kSortedByOneCore = 1 << 14;  // fewer are not worth dividing
constexpr std::size_t kShareWorthChoosing = 8;     // a smaller share is chosen first, and only that is sorted
constexpr std::size_t kBlocks = 32;                // that the cores share in each pass
constexpr int kMostDigitBits = 11;                 // as many digits as one core's cache has lines for
constexpr std::size_t kSamples = 1 << 13;          // by which is guessed how small the wanted ones are

/// A number and its place, as one where both fit into 64 bits.
struct WideEntry {
  std::uint64_t number;
  std::uint32_t place;
};
std::uint64_t digitsOf(std::uint64_t entry) {
  return entry;
}
std::uint64_t digitsOf(const WideEntry& entry) {
  return entry.number;
}
bool comesFirst(std::uint64_t left, std::uint64_t right) {
  return left < right;
}
bool comesFirst(const WideEntry& left, const WideEntry& right) {
  return left.number != right.number ? left.number < right.number : left.place < right.place;
}
constexpr auto kComesFirst = [](const auto& left, const auto& right) { return comesFirst(left, right); };

/// Calls act(first, end) for parts of `count`, on all cores.
template <class Act>
void inParts(std::size_t count, std::size_t atOnce, const std::stop_token& stop, const Act& act) {
  tbb::parallel_for(std::size_t{0}, (count + atOnce - 1) / atOnce, [&](std::size_t part) {
    if (!stop.stop_requested()) act(part * atOnce, std::min(count, (part + 1) * atOnce));
  });
}

/// Sorts entries that are in the order of their places by some of their bits, a digit after the other from the lowest
/// on: each pass keeps the order of the one before.
template <class Entry>
class RadixSort {
 public:
  /// `room`: for as many entries, if there is some already.
  RadixSort(LargeArray<Entry> entries, LargeArray<Entry> room, int firstBit, int bits)
      : m_entries(std::move(entries)), m_sorted(std::move(room)), m_firstBit(firstBit), m_bits(bits) {}

  LargeArray<Entry> run(const std::function<void(double)>& told, const std::stop_token& stop) {
    const int passes = (m_bits + kMostDigitBits - 1) / kMostDigitBits;
    if (passes == 0) return std::move(m_entries);
    const int digitBits = (m_bits + passes - 1) / passes;
    m_mask = (std::uint64_t{1} << digitBits) - 1;
    if (m_sorted.size() < m_entries.size()) m_sorted = LargeArray<Entry>(m_entries.size());
    m_sorted.truncate(m_entries.size());
    CountedProgress progress(2 * kBlocks * static_cast<std::size_t>(passes), told);
    for (int pass = 0; pass < passes && !stop.stop_requested(); ++pass) {
      m_shift = m_firstBit + pass * digitBits;
      sortByDigit(progress, stop);
      std::swap(m_entries, m_sorted);
    }
    return std::move(m_entries);
  }

 private:
  using Counts = std::array<std::uint32_t, std::size_t{1} << kMostDigitBits>;

  std::size_t digitOf(const Entry& entry) const { return digitsOf(entry) >> m_shift & m_mask; }

  void sortByDigit(CountedProgress& progress, const std::stop_token& stop) {
    std::vector<Counts> next(kBlocks);  // how many each block has of a digit, then where its next one goes
    const std::size_t block = (m_entries.size() + kBlocks - 1) / kBlocks;
    inParts(m_entries.size(), block, stop, [&](std::size_t first, std::size_t end) {
      Counts& counts = next[first / block];
      for (std::size_t i = first; i < end; ++i) ++counts[digitOf(m_entries[i])];
      progress.finishOne();
    });
    std::uint32_t start = 0;
    for (std::size_t digit = 0; digit <= m_mask; ++digit) {
      for (Counts& counts : next) start += std::exchange(counts[digit], start);
    }
    inParts(m_entries.size(), block, stop, [&](std::size_t first, std::size_t end) {
      Counts& places = next[first / block];
      for (std::size_t i = first; i < end; ++i) m_sorted[places[digitOf(m_entries[i])]++] = m_entries[i];
      progress.finishOne();
    });
  }

  LargeArray<Entry> m_entries;
  LargeArray<Entry> m_sorted;
  const int m_firstBit;
  const int m_bits;
  int m_shift = 0;
  std::uint64_t m_mask = 0;
};

/// The first `wanted` in order, where that is a small share: what comes behind an entry that is well behind them, as a
/// sample of all tells, is left out. Nothing if the sample was wrong.
template <class Entry>
std::optional<std::vector<Entry>> chosen(const LargeArray<Entry>& entries, std::size_t wanted,
                                         const std::stop_token& stop) {
  std::vector<Entry> sample;
  for (std::size_t i = 0; i < kSamples; ++i) sample.push_back(entries[i * entries.size() / kSamples]);
  constexpr std::size_t kMargin = 16;
  const std::size_t behind = 2 * wanted * kSamples / entries.size() + kMargin;
  std::ranges::nth_element(sample, sample.begin() + static_cast<std::ptrdiff_t>(behind), kComesFirst);
  const Entry bound = sample[behind];
  std::vector<std::vector<Entry>> parts((entries.size() + kNumbersAtOnce - 1) / kNumbersAtOnce);
  inParts(entries.size(), kNumbersAtOnce, stop, [&](std::size_t first, std::size_t end) {
    std::vector<Entry>& part = parts[first / kNumbersAtOnce];
    for (std::size_t i = first; i < end; ++i) {
      if (comesFirst(entries[i], bound)) part.push_back(entries[i]);
    }
  });
  std::vector<Entry> found;
  for (const std::vector<Entry>& part : parts) found.insert(found.end(), part.begin(), part.end());
  if (found.size() < wanted) return std::nullopt;
  std::ranges::sort(found, kComesFirst);
  return found;
}

template <class Entry>
std::vector<std::uint32_t> placesOf(std::size_t count, const Entry* sorted, std::uint64_t placeMask) {
  std::vector<std::uint32_t> places(count);
  inParts(count, kNumbersAtOnce, {}, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      if constexpr (std::is_same_v<Entry, WideEntry>) {
        places[i] = sorted[i].place;
      } else {
        places[i] = static_cast<std::uint32_t>(sorted[i] & placeMask);
      }
    }
  });
  return places;
}

template <class Entry>
std::vector<std::uint32_t> firstPlaces(LargeArray<Entry> entries, LargeArray<Entry> room, int placeBits, int bits,
                                       std::size_t wanted, const std::function<void(double)>& told,
                                       const std::stop_token& stop) {
  const std::uint64_t placeMask = (std::uint64_t{1} << placeBits) - 1;
  const std::size_t count = entries.size();
  if (count <= kSortedByOneCore) {
    std::sort(entries.data(), entries.data() + count, kComesFirst);
  } else if (wanted <= count / kShareWorthChoosing) {
    if (const auto found = chosen(entries, wanted, stop)) return placesOf(wanted, found->data(), placeMask);
  }
  if (count > kSortedByOneCore)
    entries =
        RadixSort<Entry>(std::move(entries), std::move(room), std::is_same_v<Entry, WideEntry> ? 0 : placeBits, bits)
            .run(told, stop);
  return placesOf(wanted, entries.data(), placeMask);
}

/// Makes numbers that begin at 0 of all others, so that they have few digits; what comes last comes right behind them.
class FromZero {
 public:
  /// numberAt(i): of `count`.
  template <class NumberAt>
  FromZero(std::size_t count, const NumberAt& numberAt, const std::stop_token& stop) {
    std::vector<Bounds> ofParts((count + kNumbersAtOnce - 1) / kNumbersAtOnce);
    inParts(count, kNumbersAtOnce, stop, [&](std::size_t first, std::size_t end) {
      Bounds of;
      for (std::size_t i = first; i < end; ++i) {
        const std::uint64_t number = numberAt(i);
        of.smallest = std::min(of.smallest, number);
        if (number != kLast) of.largest = std::max(of.largest, number);
      }
      ofParts[first / kNumbersAtOnce] = of;
    });
    Bounds all;
    for (const Bounds& of : ofParts) {
      all.smallest = std::min(all.smallest, of.smallest);
      all.largest = std::max(all.largest, of.largest);
    }
    m_smallest = all.smallest;
    m_last = all.smallest == kLast ? 0 : all.largest - all.smallest + 1;
  }

  std::uint64_t of(std::uint64_t number) const { return number == kLast ? m_last : number - m_smallest; }
  int bits() const { return static_cast<int>(std::bit_width(m_last)); }

 private:
  struct Bounds {
    std::uint64_t smallest = UINT64_MAX, largest = 0;
  };
  std::uint64_t m_smallest = 0, m_last = 0;
};

}  // namespace

std::vector<std::uint32_t> placesInOrder(LargeArray<std::uint64_t> numbers, std::size_t limit,
                                         const std::function<void(double)>& told, const std::stop_token& stop) {
  const std::size_t count = numbers.size();
  const std::size_t wanted = std::min(limit, count);
  if (wanted == 0) return {};
  const FromZero fromZero(
      count, [&](std::size_t i) { return numbers[i]; }, stop);
  if (stop.stop_requested()) return {};
  const int bits = fromZero.bits();
  const auto placeBits = static_cast<int>(std::bit_width(count - 1));
  if (bits + placeBits <= 64) {
    inParts(count, kNumbersAtOnce, stop, [&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i) numbers[i] = fromZero.of(numbers[i]) << placeBits | i;
    });
    return firstPlaces(std::move(numbers), {}, placeBits, bits, wanted, told, stop);
  }
  LargeArray<WideEntry> entries(count);
  inParts(count, kNumbersAtOnce, stop, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) entries[i] = {fromZero.of(numbers[i]), static_cast<std::uint32_t>(i)};
  });
  return firstPlaces(std::move(entries), {}, placeBits, bits, wanted, told, stop);
}

std::vector<std::uint32_t> idsInOrder(LargeArray<std::uint64_t> numbers, std::span<const std::uint32_t> ids,
                                      std::size_t limit, const std::function<void(double)>& told,
                                      const std::stop_token& stop) {
  const std::size_t count = ids.size();
  const std::size_t wanted = std::min(limit, count);
  if (wanted == 0) return {};
  const auto idBits = static_cast<int>(std::bit_width(ids.back()));
  const FromZero fromZero(
      count, [&](std::size_t i) { return numbers[ids[i]]; }, stop);
  if (stop.stop_requested()) return {};
  const int bits = fromZero.bits();
  // All of them with their ids in new memory; what they lay in is room to sort in.
  if (wanted > count / kShareWorthChoosing && bits + idBits <= 64) {
    LargeArray<std::uint64_t> entries(count);
    inParts(count, kNumbersAtOnce, stop, [&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i) entries[i] = fromZero.of(numbers[ids[i]]) << idBits | ids[i];
    });
    return firstPlaces(std::move(entries), std::move(numbers), idBits, bits, wanted, told, stop);
  }
  // In place: no id is smaller than its place.
  for (std::size_t i = 0; i < count && count < numbers.size(); ++i) numbers[i] = numbers[ids[i]];
  numbers.truncate(count);
  std::vector<std::uint32_t> order = placesInOrder(std::move(numbers), wanted, told, stop);
  inParts(order.size(), kNumbersAtOnce, {}, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) order[i] = ids[order[i]];
  });
  return order;
}

}  // namespace heapscape::engine
