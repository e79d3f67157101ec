// SPDX-License-Identifier: MIT
#include "query/objects/key_order.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "base/progress.h"

namespace heapscape::engine {
namespace {

using Length = std::uint16_t;
static_assert(SortKeys::kLongestText <= UINT16_MAX);
// A long double is one of the x87, or of 128 bits as on arm64, of whose mantissa the first 64 bits order.
static_assert(LDBL_MANT_DIG == 64 || LDBL_MANT_DIG == 113);

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

  LargeArray<Entry> run(const std::function<void(double)>& onProgress, const std::stop_token& stop) {
    const int passes = (m_bits + kMostDigitBits - 1) / kMostDigitBits;
    if (passes == 0) return std::move(m_entries);
    const int digitBits = (m_bits + passes - 1) / passes;
    m_mask = (std::uint64_t{1} << digitBits) - 1;
    if (m_sorted.size() < m_entries.size()) m_sorted = LargeArray<Entry>(m_entries.size());
    m_sorted.truncate(m_entries.size());
    CountedProgress progress(2 * kBlocks * static_cast<std::size_t>(passes), onProgress);
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
                                       std::size_t wanted, const std::function<void(double)>& onProgress,
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
            .run(onProgress, stop);
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

constexpr std::size_t kSortedAtOnce = 1 << 15;  // more of the same part are sorted on all cores

// Work that each key counts as. By how many of its parts it will be sorted is not known: by each for half of what is
// left, and the rest is done as soon as it is in place.
constexpr std::size_t kWhole = 1 << 8;
constexpr std::size_t workOf(std::size_t part) {
  return part < 8 ? kWhole >> (part + 1) : 0;
}
constexpr std::size_t workBehind(std::size_t part) {
  return part < 8 ? kWhole >> (part + 1) : 1;
}

class KeyOrder {
 public:
  KeyOrder(LargeArray<KeyedPlace> keys, std::size_t limit, bool descending, std::function<void(double)> onProgress,
           const std::stop_token& stop)
      : m_keys(std::move(keys)),
        m_wanted(std::min(limit, m_keys.size())),
        m_isDescending(descending),
        m_progress(m_keys.size() * kWhole, std::move(onProgress)),
        m_stop(stop) {}

  std::vector<std::uint32_t> places() {
    tbb::parallel_for(std::size_t{0}, m_keys.size(), [&](std::size_t i) {
      m_keys[i].place = static_cast<std::uint32_t>(i);
      m_keys[i].part = SortKey::inOrder(m_keys[i].part, m_isDescending);
    });
    dropLast();
    sort({m_keys.data(), m_keys.size()}, 0, 0);
    std::vector<std::uint32_t> places(m_wanted);
    for (std::size_t i = 0; i < m_wanted; ++i) places[i] = m_keys[i].place;
    return places;
  }

 private:
  using Keys = std::span<KeyedPlace>;

  static bool isBefore(const KeyedPlace& left, const KeyedPlace& right) {
    return left.part != right.part ? left.part < right.part : left.place < right.place;
  }

  // Of those whose first part tells that they come behind all that are wanted nothing more has to be known.
  void dropLast() {
    if (m_wanted > m_keys.size() / 2 || m_wanted == 0) return;
    const std::vector<std::uint32_t> first = orderOf(m_keys.elements(), m_wanted, [](double) {});
    if (m_stop.stop_requested()) return;
    const std::uint64_t part = m_keys[first.back()].part;
    const auto end = m_keys.data() + m_keys.size();
    const auto dropped = std::remove_if(m_keys.data(), end, [part](const KeyedPlace& key) { return key.part > part; });
    m_progress.finish(kWhole * static_cast<std::size_t>(end - dropped));
    m_keys.truncate(static_cast<std::size_t>(dropped - m_keys.data()));
  }

  /// `number`: of the part that they hold now. `firstPart`: of all of them, unless it is that one.
  void sort(Keys keys, std::size_t number, std::uint64_t firstPart) {
    if (keys.size() <= kSortedAtOnce) {
      sortQuietly(keys, number, firstPart);
      m_progress.finish(keys.size() * (workOf(number) + workBehind(number)));
      return;
    }
    sortOnAllCores(keys, keys.size() * workOf(number));
    if (m_stop.stop_requested()) return;
    std::vector<Keys> runs;
    std::size_t inRuns = 0;
    forEachRun(keys, [&](Keys run) {
      runs.push_back(run);
      inRuns += run.size();
    });
    m_progress.finish((keys.size() - inRuns) * workBehind(number));
    tbb::parallel_for(tbb::blocked_range(std::size_t{0}, runs.size()), [&](const auto& some) {
      std::size_t quiet = 0;  // most runs are short: they are told together
      for (std::size_t i = some.begin(); i < some.end(); ++i) {
        const auto first = takeNextPart(runs[i], number, firstPart);
        if (first && runs[i].size() > kSortedAtOnce) {
          sort(runs[i], number + 1, *first);
          continue;
        }
        if (first) sortQuietly(runs[i], number + 1, *first);
        quiet += runs[i].size();
      }
      m_progress.finish(quiet * workBehind(number));
    });
  }

  void sortQuietly(Keys keys, std::size_t number, std::uint64_t firstPart) {
    if (m_stop.stop_requested()) return;
    std::ranges::sort(keys, isBefore);
    forEachRun(keys, [&](Keys run) {
      if (const auto first = takeNextPart(run, number, firstPart)) sortQuietly(run, number + 1, *first);
    });
  }

  /// The first of keys that stand in the order of their places, by the part that they hold now.
  std::vector<std::uint32_t> orderOf(std::span<const KeyedPlace> keys, std::size_t limit,
                                     std::function<void(double)> onProgress) const {
    LargeArray<std::uint64_t> parts(keys.size());
    tbb::parallel_for(std::size_t{0}, keys.size(), [&](std::size_t i) { parts[i] = keys[i].part; });
    return placesInOrder(std::move(parts), limit, std::move(onProgress), m_stop);
  }

  /// `work`: what all that is done here counts.
  void sortOnAllCores(Keys keys, std::size_t work) {
    std::size_t done = 0;
    const auto onProgress = [&](double share) {
      const auto now = static_cast<std::size_t>(share * static_cast<double>(work));
      if (now > done) m_progress.finish(now - std::exchange(done, now));
    };
    const std::vector<std::uint32_t> order = orderOf(keys, keys.size(), onProgress);
    if (m_stop.stop_requested()) return;
    LargeArray<KeyedPlace> before(keys.size());
    tbb::parallel_for(std::size_t{0}, keys.size(), [&](std::size_t i) { before[i] = keys[i]; });
    tbb::parallel_for(std::size_t{0}, keys.size(), [&](std::size_t i) { keys[i] = before[order[i]]; });
    m_progress.finish(work - done);
  }

  /// Those that have the same part, where the order of several matters.
  template <class Visit>
  void forEachRun(Keys keys, const Visit& visit) const {
    for (std::size_t from = 0, end = 0; from < keys.size(); from = end) {
      if (keys.data() + from >= m_keys.data() + m_wanted) return;
      while (end < keys.size() && keys[end].part == keys[from].part) ++end;
      if (end - from > 1) visit(keys.subspan(from, end - from));
    }
  }

  /// Has them hold the part behind this one and gives their first, if they go on.
  std::optional<std::uint64_t> takeNextPart(Keys run, std::size_t number, std::uint64_t firstPart) const {
    const std::uint64_t part = run.front().part;
    if (number == 0) firstPart = SortKey::fromOrder(part, m_isDescending);
    const std::uint64_t asItWas = number == 0 ? firstPart : m_isDescending ? ~part : part;
    if (!SortKey::goesOn(firstPart, asItWas, number)) return std::nullopt;
    for (KeyedPlace& key : run) {
      key.part = SortKey::laterPart(firstPart, key.rest, number + 1);
      if (m_isDescending) key.part = ~key.part;
    }
    return firstPart;
  }

  LargeArray<KeyedPlace> m_keys;
  const std::size_t m_wanted;
  const bool m_isDescending;
  CountedProgress m_progress;
  const std::stop_token m_stop;
};

}  // namespace

// In the block: its length, then its bytes.
std::string_view SortKey::textAt(std::uint64_t rest) {
  const auto* at = reinterpret_cast<const char*>(rest);
  Length length = 0;
  std::memcpy(&length, at, sizeof length);
  return {at + sizeof length, length};
}

std::uint64_t SortKey::partOf(std::string_view text, std::size_t number) {
  const std::size_t from = number * kBytesInPart;
  const std::string_view rest = from < text.size() ? text.substr(from) : std::string_view();
  std::uint64_t part = 0;
  for (std::size_t i = 0; i < kBytesInPart; ++i)
    part = part << 8 | (i < rest.size() ? static_cast<unsigned char>(rest[i]) : 0);
  return part << kCountBits | std::min(rest.size(), kBytesInPart + 1);
}

bool isBefore(const SortKey& left, const SortKey& right) {
  if (left.m_high != right.m_high) return left.m_high < right.m_high;
  std::uint64_t part = left.m_high;
  for (std::size_t number = 0; SortKey::goesOn(left.m_high, part, number);) {
    part = SortKey::laterPart(left.m_high, left.m_low, ++number);
    const std::uint64_t other = SortKey::laterPart(right.m_high, right.m_low, number);
    if (part != other) return part < other;
  }
  return false;
}

bool areSame(const SortKey& one, const SortKey& other) {
  if (one.m_high != other.m_high || !SortKey::goesOn(one.m_high, one.m_high, 0)) return one.m_high == other.m_high;
  const bool areTexts = one.m_high >> SortKey::kRankShift == SortKey::kText;
  return one.m_low == other.m_low || (areTexts && SortKey::textAt(one.m_low) == SortKey::textAt(other.m_low));
}

SortKey SortKeys::keyOf(const QueryValue& value) {
  SortKey key;
  if (value.state == QueryValue::State::Absent) return key;
  const auto rankOf = [](SortKey::Rank rank) { return std::uint64_t{rank} << SortKey::kRankShift; };
  if (value.state == QueryValue::State::Null) {
    key.m_high = rankOf(SortKey::kNull);
  } else if (value.flag) {
    key.m_high = rankOf(SortKey::kFlag) | *value.flag;
  } else if (value.number) {
    key = ofNumber(*value.number);
    key.m_high |= rankOf(SortKey::kNumber);
  } else {
    key = keyOf(value.text ? *value.text : std::string_view());
  }
  return key;
}

SortKey SortKeys::keyOf(std::string_view text) {
  text = text.substr(0, kLongestText);
  SortKey key;
  key.m_high = std::uint64_t{SortKey::kText} << SortKey::kRankShift | SortKey::partOf(text, 0);
  char* const at = m_texts.roomFor(sizeof(Length) + text.size());
  const auto length = static_cast<Length>(text.size());
  std::memcpy(at, &length, sizeof length);
  std::memcpy(at + sizeof length, text.data(), text.size());
  key.m_low = reinterpret_cast<std::uint64_t>(at);
  return key;
}

// Sign and exponent, then the 64 bits of the mantissa, turned round below zero: in the order of the numbers. What is no
// number comes before all that are.
SortKey SortKeys::ofNumber(long double number) {
  SortKey key;
  if (std::isnan(number)) return key;
  if (number == 0) number = 0;  // without a sign
  std::array<std::uint64_t, 2> words{};
  std::memcpy(words.data(), &number, sizeof number);
  auto [mantissa, exponent] = words;
  if constexpr (LDBL_MANT_DIG == 64) {
    exponent &= 0xffff;  // the rest is nothing
  } else {
    mantissa = exponent << 15 | mantissa >> 49;  // the leading bit is left out: the exponent has it
    exponent >>= 48;
  }
  const bool isNegative = (exponent & 0x8000) != 0;
  key.m_high = 1 + (isNegative ? std::uint64_t{0x7fff} - (exponent & 0x7fff) : std::uint64_t{0x8000} + exponent);
  key.m_low = isNegative ? ~mantissa : mantissa;
  return key;
}

std::vector<std::uint32_t> placesInOrder(LargeArray<std::uint64_t> numbers, std::size_t limit,
                                         const std::function<void(double)>& onProgress, const std::stop_token& stop) {
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
    return firstPlaces(std::move(numbers), {}, placeBits, bits, wanted, onProgress, stop);
  }
  LargeArray<WideEntry> entries(count);
  inParts(count, kNumbersAtOnce, stop, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) entries[i] = {fromZero.of(numbers[i]), static_cast<std::uint32_t>(i)};
  });
  return firstPlaces(std::move(entries), {}, placeBits, bits, wanted, onProgress, stop);
}

std::vector<std::uint32_t> idsInOrder(LargeArray<std::uint64_t> numbers, std::span<const std::uint32_t> ids,
                                      std::size_t limit, const std::function<void(double)>& onProgress,
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
    return firstPlaces(std::move(entries), std::move(numbers), idBits, bits, wanted, onProgress, stop);
  }
  // In place: no id is smaller than its place.
  for (std::size_t i = 0; i < count && count < numbers.size(); ++i) numbers[i] = numbers[ids[i]];
  numbers.truncate(count);
  std::vector<std::uint32_t> order = placesInOrder(std::move(numbers), wanted, onProgress, stop);
  inParts(order.size(), kNumbersAtOnce, {}, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) order[i] = ids[order[i]];
  });
  return order;
}

std::vector<std::uint32_t> placesInOrder(LargeArray<KeyedPlace> keys, std::size_t limit, bool descending,
                                         std::function<void(double)> onProgress, const std::stop_token& stop) {
  return KeyOrder(std::move(keys), limit, descending, std::move(onProgress), stop).places();
}

}  // namespace heapscape::engine
