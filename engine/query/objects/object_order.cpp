// SPDX-License-Identifier: MIT
#include "query/objects/object_order.h"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <numeric>

#include "query/objects/object_values.h"
#include "query/objects/sort_keys.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kObjectsPerTask = 1 << 14;
constexpr std::size_t kShareSortedInPart = 8;  // a smaller share is quicker found in a heap than by sorting all

/// Puts the objects that come first in front, sorted by keys that were made for each of them.
template <class Key, class IsBefore>
std::vector<std::uint32_t> sortFirst(const std::vector<std::uint32_t>& ids, const std::vector<Key>& keys,
                                     std::size_t limit, const IsBefore& isBefore) {
  std::vector<std::uint32_t> places(ids.size());
  std::iota(places.begin(), places.end(), 0u);
  const std::size_t wanted = std::min(limit, places.size());
  const auto comesFirst = [&](std::uint32_t left, std::uint32_t right) {
    if (isBefore(keys[left], keys[right])) return true;
    if (isBefore(keys[right], keys[left])) return false;
    return left < right;
  };
  if (wanted > places.size() / kShareSortedInPart) {
    tbb::parallel_sort(places.begin(), places.end(), comesFirst);
  } else {
    std::partial_sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(wanted), places.end(), comesFirst);
  }
  places.resize(wanted);
  for (std::uint32_t& place : places) place = ids[place];
  return places;
}

/// Keys of all objects, made on all cores; empty if it was stopped.
template <class Key, class KeyOf>
std::vector<Key> makeKeys(const ObjectFields& fields, const ValueReader& values, const std::vector<std::uint32_t>& ids,
                          const KeyOf& keyOf, const std::stop_token& stop) {
  std::vector<Key> keys(ids.size());
  tbb::enumerable_thread_specific<ObjectValues> readers([&] { return ObjectValues(fields, values); });
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, ids.size(), kObjectsPerTask), [&](const auto& range) {
    if (stop.stop_requested()) return;
    ObjectValues& reader = readers.local();
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      if (const auto view = fields.viewOf(ids[i])) keys[i] = keyOf(*view, reader);
    }
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
                                          const std::stop_token& stop) {
  tbb::enumerable_thread_specific<SortKeys> makers;  // keep the texts of the keys
  const auto keyOf = [&](const ObjectView& view, ObjectValues& reader) {
    return makers.local().keyOf(reader.value(*search.sortBy, view));
  };
  const auto keys = makeKeys<SortKey>(fields, values, ids, keyOf, stop);
  if (stop.stop_requested()) return {};
  return sortFirst(ids, keys, search.limit, [&](const SortKey& left, const SortKey& right) {
    if (left.isThere() != right.isThere()) return left.isThere();
    return search.descending ? isBefore(right, left) : isBefore(left, right);
  });
}

std::vector<std::uint32_t> sortedByNumber(const ObjectFields& fields, const ValueReader& values,
                                          const std::vector<std::uint32_t>& ids, const ObjectSearch& search,
                                          const std::stop_token& stop) {
  const QueryFieldReference& reference = *search.sortBy;
  std::vector<std::uint64_t> ranks;
  // Generations have an order of their own.
  if (formOf(reference) == ObjectFieldForm::Symbol && reference != referenceTo(ObjectField::Gen))
    ranks = ranksOf(fields.symbols(static_cast<ObjectField>(reference.field)));
  const auto keyOf = [&](const ObjectView& view, ObjectValues&) {
    return keyFor(numberIn(fields, reference, view, ranks), search.descending);
  };
  const auto keys = makeKeys<std::uint64_t>(fields, values, ids, keyOf, stop);
  if (stop.stop_requested()) return {};
  return sortFirst(ids, keys, search.limit, [&](std::uint64_t left, std::uint64_t right) {
    return search.descending ? left > right : left < right;
  });
}

}  // namespace

Outcome<std::vector<std::uint32_t>> firstInOrder(const ObjectFields& fields, const ValueReader& values,
                                                 const std::vector<std::uint32_t>& ids, const ObjectSearch& search,
                                                 const std::stop_token& stop) {
  const auto first = static_cast<std::ptrdiff_t>(std::min(search.limit, ids.size()));
  if (!search.sortBy) return std::vector<std::uint32_t>(ids.begin(), ids.begin() + first);
  auto sorted = formOf(*search.sortBy) == ObjectFieldForm::Memory ? sortedByMemory(fields, values, ids, search, stop)
                                                                  : sortedByNumber(fields, values, ids, search, stop);
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  return sorted;
}

}  // namespace heapscape::engine
