// SPDX-License-Identifier: MIT
#include "query/objects/object_order.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "query/objects/key_order.h"

namespace heapscape::engine {
namespace {

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

}  // namespace

ObjectOrder::ObjectOrder(const ObjectFields& fields, const ValueReader& values, const ObjectSearch& search)
    : m_fields(fields), m_search(search) {
  if (!search.sortBy || search.limit == 0 || *search.sortBy == referenceTo(ObjectField::Address)) return;
  const QueryFieldReference& reference = *search.sortBy;
  m_field = static_cast<ObjectField>(reference.field);
  m_form = formOf(reference);
  const bool isSize = reference == referenceTo(ObjectField::Count) || reference == referenceTo(ObjectField::Capacity);
  m_by = m_form != ObjectFieldForm::Memory ? By::Number : isSize ? By::Size : By::Memory;
  if (m_by == By::Memory) {
    m_keys.emplace(fields, values, reference);
    return;
  }
  m_numbers = LargeArray<std::uint64_t>(fields.contents().heap->index.objectCount());
  // Generations have an order of their own.
  if (m_form == ObjectFieldForm::Symbol && m_field != ObjectField::Gen) m_ranks = ranksOf(fields.symbols(m_field));
}

ObjectOrder::Notes ObjectOrder::beginNotes() {
  Notes notes;
  if (m_by == By::Memory) notes.maker = &m_keys->ofThread();
  return notes;
}

void ObjectOrder::note(const ObjectView& object, ObjectValues& values, Notes& notes) {
  if (m_by == By::Address) return;
  if (m_by == By::Memory)
    notes.numbers.push_back(notes.maker->numberOf(object, values));
  else
    m_numbers[object.id] = numberFor(numberOf(object, values));
}

std::optional<std::uint64_t> ObjectOrder::numberOf(const ObjectView& object, ObjectValues& values) const {
  if (m_by == By::Size) return values.sizeOf(m_field, object);
  if (m_form == ObjectFieldForm::Flag) return m_fields.flag(m_field, object);
  if (m_form == ObjectFieldForm::Number) return m_fields.number(m_field, object);
  const std::uint32_t symbol = m_fields.symbol(m_field, object);
  if (symbol == ObjectFields::kNoSymbol) return std::nullopt;
  return m_ranks.empty() ? symbol : m_ranks[symbol];
}

// Number of a value; a missing one comes last, whichever way it is sorted.
std::uint64_t ObjectOrder::numberFor(std::optional<std::uint64_t> number) const {
  if (!number) return UINT64_MAX;
  const std::uint64_t below = std::min(*number, UINT64_MAX - 1);
  return m_search.descending ? UINT64_MAX - 1 - below : below;
}

// Ids are in the order of addresses.
std::vector<std::uint32_t> ObjectOrder::sortedByAddress(const std::vector<std::uint32_t>& ids) const {
  const auto first = static_cast<std::ptrdiff_t>(std::min(m_search.limit, ids.size()));
  if (m_search.sortBy && m_search.descending) return {ids.rbegin(), ids.rbegin() + first};
  return {ids.begin(), ids.begin() + first};
}

std::vector<std::uint32_t> ObjectOrder::sortedByNumber(const std::vector<std::uint32_t>& ids, StageProgress& progress,
                                                       const std::stop_token& stop) {
  return idsInOrder(
      std::move(m_numbers), ids, m_search.limit, [&](double share) { progress.report(share); }, stop);
}

std::vector<std::uint32_t> ObjectOrder::sortedByMemory(const std::vector<std::uint32_t>& ids, std::span<Notes> notes,
                                                       StageProgress& progress, const std::stop_token& stop) {
  constexpr double kRankedEnd = 0.5;
  const LargeArray<std::uint32_t> ranks = m_keys->rank(
      m_search.limit, m_search.descending, [&](double share) { progress.report(kRankedEnd * share); }, stop);
  if (stop.stop_requested()) return {};
  // What is not there comes last, whichever way it is sorted.
  const std::uint64_t behind = ranks.size() + 1;
  const std::uint64_t ofNull = behind + !m_search.descending, ofAbsent = behind + m_search.descending;
  std::vector<std::size_t> starts{0};
  for (const Notes& part : notes) starts.push_back(starts.back() + part.numbers.size());
  LargeArray<std::uint64_t> numbers(ids.size());
  tbb::parallel_for(std::size_t{0}, notes.size(), [&](std::size_t i) {
    Notes& part = notes[i];
    for (std::size_t k = 0; k < part.numbers.size(); ++k) {
      const std::uint32_t number = part.numbers[k];
      numbers[starts[i] + k] = number == FieldKeys::kNull     ? ofNull
                               : number == FieldKeys::kAbsent ? ofAbsent
                                                              : ranks[part.maker->before() + number];
    }
    part = {};
  });
  std::vector<std::uint32_t> order = placesInOrder(
      std::move(numbers), m_search.limit, [&](double share) { progress.report(kRankedEnd + (1 - kRankedEnd) * share); },
      stop);
  tbb::parallel_for(std::size_t{0}, order.size(), [&](std::size_t i) { order[i] = ids[order[i]]; });
  return order;
}

Outcome<std::vector<std::uint32_t>> ObjectOrder::first(const std::vector<std::uint32_t>& ids, std::span<Notes> notes,
                                                       StageProgress& progress, const std::stop_token& stop) {
  if (m_by == By::Address) return sortedByAddress(ids);
  auto sorted = m_by == By::Memory ? sortedByMemory(ids, notes, progress, stop) : sortedByNumber(ids, progress, stop);
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  return sorted;
}

}  // namespace heapscape::engine
