// SPDX-License-Identifier: MIT
#include "query/objects/object_order.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include "base/counted_progress.h"
#include "query/objects/key_order.h"
#include "query/objects/object_values.h"
#include "query/objects/sort_keys.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kObjectsPerTask = 1 << 12;
constexpr std::size_t kShareSortedInPart = 8;  // a smaller share is quicker found in a heap than by sorting all
constexpr double kKeysShare = 0.65;            // of the progress, where keys are at hand; the rest is sorting
constexpr double kReadKeysShare = 0.9;         // where memory has to be read for them

/// What is sorted: stands in a part of its own while this is sorted, so that keys need not be looked up.
template <class Key>
struct Sorted {
  Key key;
  std::uint32_t place;
};

/// Sorts places by keys, on all cores. They are first divided by keys taken from all over into parts that follow each
/// other: each part fits into a core's cache, and how many are sorted tells how far it is.
template <class Key, class IsBefore>
class PartedSort {
 public:
  PartedSort(const std::vector<Key>& keys, const IsBefore& comesFirst) : m_keys(keys), m_comesFirst(comesFirst) {}

  /// Empty if it was stopped.
  std::vector<std::uint32_t> run(const std::function<void(double)>& told, const std::stop_token& stop) {
    chooseBounds();
    std::vector<std::uint32_t> places = divide();
    CountedProgress progress(m_ends.size(), told);
    tbb::parallel_for(std::size_t{0}, m_ends.size(), [&](std::size_t part) {
      if (stop.stop_requested()) return;
      sortPart(std::span(places).subspan(startOf(part), m_ends[part] - startOf(part)));
      progress.finishOne();
    });
    if (stop.stop_requested()) places.clear();
    return places;
  }

 private:
  static constexpr std::size_t kParts = 256;
  static constexpr std::size_t kSamplesPerPart = 32;
  static constexpr std::size_t kPlacesPerTask = 1 << 16;

  std::size_t startOf(std::size_t part) const { return part == 0 ? 0 : m_ends[part - 1]; }

  void chooseBounds() {
    const std::size_t samples = std::min(m_keys.size(), kParts * kSamplesPerPart);
    std::vector<Sorted<Key>> chosen;
    for (std::size_t i = 0; i < samples; ++i) {
      const std::size_t place = i * m_keys.size() / samples;
      chosen.push_back({m_keys[place], static_cast<std::uint32_t>(place)});
    }
    std::ranges::sort(chosen, m_comesFirst);
    for (std::size_t part = 1; part < kParts && samples == kParts * kSamplesPerPart; ++part)
      m_bounds.push_back(chosen[part * kSamplesPerPart]);
  }

  using PerPart = std::array<std::size_t, kParts>;

  // Within a part they stay in their order.
  std::vector<std::uint32_t> divide() {
    const std::size_t tasks = (m_keys.size() + kPlacesPerTask - 1) / kPlacesPerTask;
    std::vector<std::uint8_t> partOf(m_keys.size());
    std::vector<PerPart> next(tasks);  // how many each task has, then where its next one goes
    const auto forEachOf = [&](std::size_t task, const auto& act) {
      const std::size_t end = std::min(m_keys.size(), (task + 1) * kPlacesPerTask);
      for (std::size_t place = task * kPlacesPerTask; place < end; ++place) act(place);
    };
    tbb::parallel_for(std::size_t{0}, tasks, [&](std::size_t task) {
      forEachOf(task, [&](std::size_t place) {
        const Sorted<Key> one{m_keys[place], static_cast<std::uint32_t>(place)};
        const auto part = std::ranges::upper_bound(m_bounds, one, m_comesFirst) - m_bounds.begin();
        partOf[place] = static_cast<std::uint8_t>(part);
        ++next[task][static_cast<std::size_t>(part)];
      });
    });
    std::size_t start = 0;
    for (std::size_t part = 0; part <= m_bounds.size(); ++part) {
      for (PerPart& ofTask : next) start += std::exchange(ofTask[part], start);
      m_ends.push_back(start);
    }
    std::vector<std::uint32_t> divided(m_keys.size());
    tbb::parallel_for(std::size_t{0}, tasks, [&](std::size_t task) {
      forEachOf(task,
                [&](std::size_t place) { divided[next[task][partOf[place]]++] = static_cast<std::uint32_t>(place); });
    });
    return divided;
  }

  void sortPart(std::span<std::uint32_t> places) const {
    std::vector<Sorted<Key>> part;
    part.reserve(places.size());
    for (const std::uint32_t place : places) part.push_back({m_keys[place], place});
    std::ranges::sort(part, m_comesFirst);
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = part[i].place;
  }

  const std::vector<Key>& m_keys;
  const IsBefore& m_comesFirst;
  std::vector<Sorted<Key>> m_bounds;
  std::vector<std::size_t> m_ends;  // of the parts
};

/// Puts the objects that come first in front, sorted by keys that were made for each of them; empty if it was stopped.
template <class Key, class IsBefore>
std::vector<std::uint32_t> sortFirst(const std::vector<std::uint32_t>& ids, const std::vector<Key>& keys,
                                     std::size_t limit, const IsBefore& isBefore,
                                     const std::function<void(double)>& told, const std::stop_token& stop) {
  const auto comesFirst = [&](const Sorted<Key>& left, const Sorted<Key>& right) {
    if (isBefore(left.key, right.key)) return true;
    if (isBefore(right.key, left.key)) return false;
    return left.place < right.place;
  };
  const std::size_t wanted = std::min(limit, ids.size());
  std::vector<std::uint32_t> places;
  if (wanted > ids.size() / kShareSortedInPart) {
    places = PartedSort<Key, decltype(comesFirst)>(keys, comesFirst).run(told, stop);
  } else {
    places.resize(ids.size());
    std::iota(places.begin(), places.end(), 0u);
    std::partial_sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(wanted), places.end(),
                      [&](std::uint32_t left, std::uint32_t right) {
                        return comesFirst({keys[left], left}, {keys[right], right});
                      });
  }
  if (stop.stop_requested()) return {};
  places.resize(wanted);
  for (std::uint32_t& place : places) place = ids[place];
  return places;
}

/// Keys of all objects, made on all cores; empty if it was stopped.
template <class Key, class KeyOf>
std::vector<Key> makeKeys(const ObjectFields& fields, const ValueReader& values, const std::vector<std::uint32_t>& ids,
                          const KeyOf& keyOf, const std::function<void(double)>& told, const std::stop_token& stop) {
  std::vector<Key> keys(ids.size());
  CountedProgress progress((ids.size() + kObjectsPerTask - 1) / kObjectsPerTask, told);
  tbb::enumerable_thread_specific<ObjectValues> readers([&] { return ObjectValues(fields, values); });
  tbb::parallel_for(std::size_t{0}, (ids.size() + kObjectsPerTask - 1) / kObjectsPerTask, [&](std::size_t task) {
    if (stop.stop_requested()) return;
    ObjectValues& reader = readers.local();
    const std::size_t end = std::min(ids.size(), (task + 1) * kObjectsPerTask);
    for (std::size_t i = task * kObjectsPerTask; i < end; ++i) {
      if (const auto view = fields.viewOf(ids[i])) keys[i] = keyOf(*view, reader);
    }
    progress.finishOne();
  });
  return keys;
}

// The place of each text among all, so that texts are compared once a text and not once an object.
std::vector<std::uint64_t> ranksOf(const std::vector<std::string>& texts) {
  std::vector<std::uint32_t> order(texts.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::string_view(texts[i]); });
  std::vector<std::uint64_t> ranks(texts.size());
  std::uint64_t rank = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && texts[order[i]] != texts[order[i - 1]]) ++rank;
    ranks[order[i]] = rank;
  }
  return ranks;
}

std::optional<std::uint64_t> numberIn(const ObjectFields& fields, const QueryFieldReference& reference,
                                      const ObjectView& view, const std::vector<std::uint64_t>& ranks) {
  const auto field = static_cast<ObjectField>(reference.field);
  const ObjectFieldForm form = formOf(reference);
  if (form == ObjectFieldForm::Flag) return fields.flag(field, view);
  if (form == ObjectFieldForm::Number) return fields.number(field, view);
  const std::uint32_t symbol = fields.symbol(field, view);
  if (symbol == ObjectFields::kNoSymbol) return std::nullopt;
  return ranks.empty() ? symbol : ranks[symbol];
}

// What is not there comes last, whichever way it is sorted.
std::uint64_t keyFor(std::optional<std::uint64_t> number, bool descending) {
  if (!descending) return number.value_or(UINT64_MAX);
  return number ? std::min(*number, UINT64_MAX - 1) + 1 : 0;
}

std::vector<std::uint32_t> sortedByMemory(const ObjectFields& fields, const ValueReader& values,
                                          const std::vector<std::uint32_t>& ids, const ObjectSearch& search,
                                          StageProgress& progress, const std::stop_token& stop) {
  tbb::enumerable_thread_specific<SortKeys> makers;  // keep the texts of the keys
  const auto keyOf = [&](const ObjectView& view, ObjectValues& reader) {
    return KeyedPlace(makers.local().keyOf(reader.value(*search.sortBy, view)));
  };
  auto keys = makeKeys<KeyedPlace>(
      fields, values, ids, keyOf, [&](double share) { progress.report(kReadKeysShare * share); }, stop);
  if (stop.stop_requested()) return {};
  std::vector<std::uint32_t> places = placesInOrder(
      std::move(keys), search.limit, search.descending,
      [&](double share) { progress.report(kReadKeysShare + (1 - kReadKeysShare) * share); }, stop);
  for (std::uint32_t& place : places) place = ids[place];
  return places;
}

std::vector<std::uint32_t> sortedByNumber(const ObjectFields& fields, const ValueReader& values,
                                          const std::vector<std::uint32_t>& ids, const ObjectSearch& search,
                                          StageProgress& progress, const std::stop_token& stop) {
  const QueryFieldReference& reference = *search.sortBy;
  std::vector<std::uint64_t> ranks;
  // Generations have an order of their own.
  if (formOf(reference) == ObjectFieldForm::Symbol && reference != referenceTo(ObjectField::Gen))
    ranks = ranksOf(fields.symbols(static_cast<ObjectField>(reference.field)));
  const auto keyOf = [&](const ObjectView& view, ObjectValues&) {
    return keyFor(numberIn(fields, reference, view, ranks), search.descending);
  };
  const auto keys = makeKeys<std::uint64_t>(
      fields, values, ids, keyOf, [&](double share) { progress.report(kKeysShare * share); }, stop);
  if (stop.stop_requested()) return {};
  const auto isKeyBefore = [&](std::uint64_t left, std::uint64_t right) {
    return search.descending ? left > right : left < right;
  };
  return sortFirst(
      ids, keys, search.limit, isKeyBefore,
      [&](double share) { progress.report(kKeysShare + (1 - kKeysShare) * share); }, stop);
}

}  // namespace

Outcome<std::vector<std::uint32_t>> firstInOrder(const ObjectFields& fields, const ValueReader& values,
                                                 const std::vector<std::uint32_t>& ids, const ObjectSearch& search,
                                                 StageProgress& progress, const std::stop_token& stop) {
  const auto first = static_cast<std::ptrdiff_t>(std::min(search.limit, ids.size()));
  if (!search.sortBy) return std::vector<std::uint32_t>(ids.begin(), ids.begin() + first);
  auto sorted = formOf(*search.sortBy) == ObjectFieldForm::Memory
                    ? sortedByMemory(fields, values, ids, search, progress, stop)
                    : sortedByNumber(fields, values, ids, search, progress, stop);
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  return sorted;
}

}  // namespace heapscape::engine
