// SPDX-License-Identifier: MIT
#include "query/objects/object_order.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "query/objects/text_order.h"

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
  const bool isLine = reference == referenceTo(ObjectField::Value);
  m_by = m_form != ObjectFieldForm::Memory ? By::Number : isSize ? By::Size : isLine ? By::Line : By::Memory;
  const std::size_t objects = fields.contents().heap->index.objectCount();
  if (m_by == By::Line) {
    m_lines.emplace(objects);
    m_lineOf = LargeArray<std::uint32_t>(objects);
    return;
  }
  if (m_by == By::Memory) {
    ObjectValues reader(fields, values);
    for (std::uint32_t i = 0; i < fields.snapshot().types().size(); ++i)
      m_mayHaveKey.push_back(reader.isPossible(reference, {i}));
    return;
  }
  m_numbers = LargeArray<std::uint64_t>(objects);
  // Generations have an order of their own.
  if (m_form == ObjectFieldForm::Symbol && m_field != ObjectField::Gen) m_ranks = ranksOf(fields.symbols(m_field));
}

ObjectOrder::Notes ObjectOrder::beginNotes() {
  Notes notes;
  if (m_by == By::Memory) notes.maker = &m_makers.local();
  if (m_by == By::Line) notes.lines = &m_lines->ofThread();
  return notes;
}

void ObjectOrder::note(const ObjectView& object, ObjectValues& values, Notes& notes) {
  if (m_by == By::Address) return;
  if (m_by == By::Memory) return notes.numbers.push_back(keyNumberOf(object, values, *notes.maker));
  if (m_by == By::Line) {
    notes.lines->add(object, object.id, values, m_lineOf[object.id]);
    return;
  }
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

// What is not there comes last, whichever way it is sorted.
std::uint64_t ObjectOrder::numberFor(std::optional<std::uint64_t> number) const {
  if (!number) return UINT64_MAX;
  const std::uint64_t below = std::min(*number, UINT64_MAX - 1);
  return m_search.descending ? UINT64_MAX - 1 - below : below;
}

std::uint32_t ObjectOrder::keyNumberOf(const ObjectView& object, ObjectValues& values, Maker& maker) const {
  if (!m_mayHaveKey[object.facts.type.value]) return kAbsent;
  if (const std::uint32_t* const known = maker.known.find(values.originOf(*m_search.sortBy, object))) return *known;
  const auto keep = [&](std::uint32_t number) {
    maker.known.keep(number);
    return number;
  };
  if (*m_search.sortBy == referenceTo(ObjectField::Text)) {
    if (const auto text = values.beginOfText(object, SortKeys::kLongestText)) return keep(maker.keys.numberOf(*text));
  }
  const QueryValue value = values.value(*m_search.sortBy, object);
  if (value.isThere()) return keep(maker.keys.numberOf(value));
  return keep(value.state == QueryValue::State::Null ? kNull : kAbsent);
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

/// By the number of a line: its place in the order that is wanted, kAbsent for what has none.
LargeArray<std::uint32_t> ObjectOrder::rankLines(const std::stop_token& stop) {
  m_lines->join(stop);
  const std::vector<std::uint32_t> different = m_lines->different();
  LargeArray<PlacedText> lines(different.size());
  LargeArray<std::uint32_t> ranks(m_lines->size());
  std::size_t count = 0;
  for (const std::uint32_t number : different) {
    const LineNote& note = (*m_lines)[number];
    if (note.begin) lines[count++] = {.begin = note.begin, .bytes = note.size, .place = number};
    // What is not among the first lines comes behind them.
    ranks[number] = note.begin ? kAbsent - 1 : kAbsent;
  }
  count = keepFirst({lines.data(), count}, m_search.limit, m_search.descending);
  sortTexts({lines.data(), count}, stop);
  tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
    ranks[lines[i].place] = static_cast<std::uint32_t>(m_search.descending ? count - 1 - i : i);
  });
  tbb::parallel_for(std::uint32_t{0}, static_cast<std::uint32_t>(m_lines->size()), [&](std::uint32_t i) {
    const std::uint32_t same = (*m_lines)[i].sameAs;
    if (same != i) ranks[i] = ranks[same];
  });
  return ranks;
}

std::vector<std::uint32_t> ObjectOrder::sortedByLine(const std::vector<std::uint32_t>& ids, StageProgress& progress,
                                                     const std::stop_token& stop) {
  constexpr double kRankedEnd = 0.5;
  const LargeArray<std::uint32_t> ranks = rankLines(stop);
  m_lines.reset();
  if (stop.stop_requested()) return {};
  progress.report(kRankedEnd);
  LargeArray<std::uint64_t> numbers(m_lineOf.size());
  tbb::parallel_for(std::size_t{0}, ids.size(), [&](std::size_t i) {
    const std::uint32_t rank = ranks[m_lineOf[ids[i]]];
    numbers[ids[i]] = rank == kAbsent ? UINT64_MAX : rank;
  });
  m_lineOf = {};
  return idsInOrder(
      std::move(numbers), ids, m_search.limit,
      [&](double share) { progress.report(kRankedEnd + (1 - kRankedEnd) * share); }, stop);
}

/// By the number of a key among those of all makers: its place in the order, the same for equal ones. All that is
/// surely behind the objects that are wanted has one place.
LargeArray<std::uint32_t> ObjectOrder::rankKeys(const std::function<void(double)>& told, const std::stop_token& stop) {
  std::vector<Maker*> makers;
  std::uint32_t count = 0;
  for (Maker& maker : m_makers) {
    makers.push_back(&maker);
    maker.before = count;
    count += static_cast<std::uint32_t>(maker.keys.keys().size());
  }
  LargeArray<SortKey> keys(count);
  LargeArray<KeyedPlace> places(count);
  for (const Maker* const maker : makers) {
    const std::vector<SortKey>& made = maker->keys.keys();
    tbb::parallel_for(std::size_t{0}, made.size(), [&](std::size_t i) {
      keys[maker->before + i] = made[i];
      places[maker->before + i] = KeyedPlace(made[i]);
    });
  }
  // Each is the key of an object at least.
  const std::vector<std::uint32_t> order =
      placesInOrder(std::move(places), m_search.limit, m_search.descending, told, stop);
  LargeArray<std::uint32_t> ranks(count);
  if (stop.stop_requested() || order.empty()) return ranks;
  std::vector<std::uint8_t> isNew(order.size());
  tbb::parallel_for(std::size_t{1}, order.size(),
                    [&](std::size_t i) { isNew[i] = !areSame(keys[order[i - 1]], keys[order[i]]); });
  const SortKey last = keys[order.back()];
  std::uint32_t rank = 0;
  std::ranges::fill(std::span(ranks.data(), ranks.size()), static_cast<std::uint32_t>(order.size()));
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = rank += isNew[i];
  tbb::parallel_for(std::size_t{0}, order.size() < count ? std::size_t{count} : 0, [&](std::size_t i) {
    if (keys[i].firstPart() == last.firstPart() && areSame(keys[i], last)) ranks[i] = rank;
  });
  return ranks;
}

std::vector<std::uint32_t> ObjectOrder::sortedByMemory(const std::vector<std::uint32_t>& ids, std::span<Notes> notes,
                                                       StageProgress& progress, const std::stop_token& stop) {
  constexpr double kRankedEnd = 0.5;
  const LargeArray<std::uint32_t> ranks = rankKeys([&](double share) { progress.report(kRankedEnd * share); }, stop);
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
      numbers[starts[i] + k] = number == kNull     ? ofNull
                               : number == kAbsent ? ofAbsent
                                                   : ranks[part.maker->before + number];
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
  auto sorted = m_by == By::Memory ? sortedByMemory(ids, notes, progress, stop)
                : m_by == By::Line ? sortedByLine(ids, progress, stop)
                                   : sortedByNumber(ids, progress, stop);
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  return sorted;
}

}  // namespace heapscape::engine
