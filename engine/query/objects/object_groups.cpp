// SPDX-License-Identifier: MIT
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/content_hash.h"
#include "base/large_array.h"
#include "base/progress.h"
#include "base/result.h"
#include "query/objects/field_keys.h"
#include "query/objects/key_order.h"
#include "query/objects/object_fields.h"
#include "query/objects/object_search.h"
#include "query/objects/object_values.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kObjectsInPart = 1 << 16;

/// Groups objects by the field Value: first by the numbers of their lines, so that each line is written about once and
/// not once an object.
class LineGroups {
 public:
  LineGroups(const ObjectFields& fields, const ValueReader& values, const std::vector<std::uint32_t>& ids,
             StageProgress& progress, const std::stop_token& stop)
      : m_fields(fields),
        m_ids(ids),
        m_progress(progress),
        m_stop(stop),
        m_keys(fields, values, referenceTo(ObjectField::Value)),
        m_sums([this, &fields, &values] {
          return Sums{ObjectValues(fields, values), m_keys.ofThread()};
        }),
        m_sumsOf((ids.size() + kObjectsInPart - 1) / kObjectsInPart) {}

  Outcome<ObjectGroups> run() {
    m_result.groupOf = LargeArray<std::uint32_t>(m_ids.size());
    addUp();
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    tell(putInOrder(m_keys.rank(
        SIZE_MAX, false, [&](double share) { m_progress.report(kAddedEnd + (kRankedEnd - kAddedEnd) * share); },
        m_stop)));
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    m_kept->texts = m_keys.takeTexts();
    m_result.kept = std::move(m_kept);
    return std::move(m_result);
  }

 private:
  static constexpr double kAddedEnd = 0.7, kRankedEnd = 0.9;

  /// Sums of one thread.
  struct Sums {
    ObjectValues values;
    FieldKeys::Maker& maker;
    std::vector<ObjectGroup> ofLines = {};  // by the number of the line
    ObjectGroup withoutLine = {};
    std::uint32_t firstWithoutLine = 0xffffffff;  // place of an object
  };
  /// Values of groups.
  struct KeptValues {
    std::vector<SortKeys> texts = {};
    QueryValue withoutLine = {};
  };
  /// Groups by number of their line among those of all threads.
  struct Places {
    LargeArray<std::uint32_t> ofLines;
    std::uint32_t withoutLine = 0;
  };

  template <class Visit>
  void forEachPart(double from, double to, Visit visit) {
    std::size_t done = 0;
    std::mutex telling;
    tbb::parallel_for(std::size_t{0}, m_sumsOf.size(), [&](std::size_t part) {
      if (m_stop.stop_requested()) return;
      visit(m_sumsOf[part], part * kObjectsInPart, std::min(m_ids.size(), (part + 1) * kObjectsInPart));
      const std::lock_guard lock(telling);
      m_progress.report(from + (to - from) * static_cast<double>(++done) / static_cast<double>(m_sumsOf.size()));
    });
  }

  /// Leaves in place of each object's group the number of its line.
  void addUp() {
    forEachPart(0, kAddedEnd, [&](Sums*& of, std::size_t first, std::size_t end) {
      Sums& sums = m_sums.local();
      of = &sums;
      ObjectViews views(m_fields);
      for (std::size_t i = first; i < end; ++i) {
        const ObjectView* const view = views.of(m_ids[i]);
        m_result.groupOf[i] = view ? sums.maker.numberOf(*view, sums.values) : ObjectGroups::kNoGroup;
        if (view) add(sums, m_result.groupOf[i], *view, static_cast<std::uint32_t>(i));
      }
    });
  }

  static void add(Sums& sums, std::uint32_t number, const ObjectView& object, std::uint32_t place) {
    const bool hasLine = number != FieldKeys::kAbsent;
    if (!hasLine) sums.firstWithoutLine = std::min(sums.firstWithoutLine, place);
    if (hasLine && number == sums.ofLines.size()) sums.ofLines.emplace_back();
    ObjectGroup& sum = hasLine ? sums.ofLines[number] : sums.withoutLine;
    ++sum.objects;
    sum.bytes += object.facts.alignedBytes();
  }

  /// Those with the most bytes first, among those with as many by their lines; what has none before the empty one.
  Places putInOrder(LargeArray<std::uint32_t> ranks) {
    Places places{.ofLines = std::move(ranks)};
    if (m_stop.stop_requested()) return places;
    const std::span all(places.ofLines.data(), places.ofLines.size());
    std::vector<ObjectGroup> groups(all.empty() ? 1 : std::ranges::max(all) + std::size_t{2});
    std::uint32_t firstWithoutLine = 0xffffffff;
    for (const Sums& sums : m_sums) {
      for (std::size_t i = 0; i < sums.ofLines.size(); ++i)
        addTo(groups[all[sums.maker.before() + i] + 1], sums.ofLines[i], GroupValue(sums.maker.keys()[i].text()));
      addTo(groups.front(), sums.withoutLine, GroupValue(m_kept->withoutLine));
      firstWithoutLine = std::min(firstWithoutLine, sums.firstWithoutLine);
    }
    ObjectViews views(m_fields);
    const bool isAnyWithout = groups.front().objects > 0;
    const ObjectView* const view = isAnyWithout ? views.of(m_ids[firstWithoutLine]) : nullptr;
    if (view) m_kept->withoutLine = m_sums.local().values.value(referenceTo(ObjectField::Value), *view);
    if (!isAnyWithout) groups.erase(groups.begin());
    LargeArray<std::uint64_t> numbers(groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i) numbers[i] = ~groups[i].bytes;
    const std::vector<std::uint32_t> order = placesInOrder(
        std::move(numbers), groups.size(), [](double) {}, m_stop);
    if (m_stop.stop_requested()) return places;
    std::vector<std::uint32_t> placeOf(groups.size());
    m_result.groups.resize(groups.size());
    tbb::parallel_for(std::size_t{0}, order.size(), [&](std::size_t i) {
      placeOf[order[i]] = static_cast<std::uint32_t>(i);
      m_result.groups[i] = groups[order[i]];
    });
    tbb::parallel_for(std::size_t{0}, all.size(), [&](std::size_t i) { all[i] = placeOf[all[i] + isAnyWithout]; });
    if (isAnyWithout) places.withoutLine = placeOf.front();
    return places;
  }

  static void addTo(ObjectGroup& group, const ObjectGroup& other, GroupValue value) {
    group = {group.objects + other.objects, group.bytes + other.bytes, value};
  }

  void tell(const Places& places) {
    forEachPart(kRankedEnd, 1, [&](const Sums* sums, std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i) {
        std::uint32_t& group = m_result.groupOf[i];
        if (group == ObjectGroups::kNoGroup) continue;
        group = group == FieldKeys::kAbsent ? places.withoutLine : places.ofLines[sums->maker.before() + group];
      }
    });
  }

  const ObjectFields& m_fields;
  const std::vector<std::uint32_t>& m_ids;
  StageProgress& m_progress;
  const std::stop_token& m_stop;
  FieldKeys m_keys;
  tbb::enumerable_thread_specific<Sums> m_sums;
  std::vector<Sums*> m_sumsOf;  // the objects of each part
  std::shared_ptr<KeptValues> m_kept = std::make_shared<KeptValues>();
  ObjectGroups m_result;
};

/// A group that is being added up.
struct Sum {
  QueryValue value;
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
};

/// Tells groups apart by how their values read. What is absent and what is null read alike, or as texts may: the state
/// counts as well.
struct AsTheyRead {
  using is_transparent = void;

  std::size_t operator()(const QueryValue& value) const {
    const auto hashOfText = [](const std::string& text) { return hashOf(std::as_bytes(std::span(text))); };
    return hashOfText(value.text ? *value.text : toString(value)) + static_cast<std::size_t>(value.state);
  }
  std::size_t operator()(std::uint32_t place) const { return (*this)(groups[place].value); }
  bool operator()(const QueryValue& one, const QueryValue& other) const {
    if (one.state != other.state) return false;
    return one.text && other.text ? *one.text == *other.text : toString(one) == toString(other);
  }
  bool operator()(std::uint32_t one, std::uint32_t other) const { return one == other; }
  bool operator()(std::uint32_t place, const QueryValue& value) const { return (*this)(groups[place].value, value); }
  bool operator()(const QueryValue& value, std::uint32_t place) const { return (*this)(groups[place].value, value); }

  const std::vector<Sum>& groups;
};

/// Adds up some of the objects by what a field holds of them. For one thread.
class Grouping {
 public:
  Grouping(const ObjectFields& fields, const ValueReader& values, const QueryFieldReference& field)
      : m_reader(fields, values), m_fields(fields), m_field(field), m_form(formOf(field)) {
    if (m_form == ObjectFieldForm::Symbol)
      m_bySymbol.resize(fields.symbols(static_cast<ObjectField>(field.field)).size() + 1, kNone);
    for (std::uint32_t i = 0; i < fields.snapshot().types().size(); ++i)
      m_isThere.push_back(m_form != ObjectFieldForm::Memory || m_reader.isPossible(field, {i}));
  }

  Grouping(const Grouping&) = delete;
  Grouping& operator=(const Grouping&) = delete;

  /// `order`: of the object among all. A group is told by the first of its objects.
  std::uint32_t add(const ObjectView& object, std::size_t order) {
    const std::uint32_t place = placeOf(object);
    ++m_groups[place].objects;
    m_groups[place].bytes += object.facts.alignedBytes();
    if (order < m_firsts[place]) {
      if (m_firsts[place] != kNoObject) m_groups[place].value = m_reader.value(m_field, object);
      m_firsts[place] = order;
    }
    return place;
  }

  /// Where groups of another one are among these, which they are added to.
  std::vector<std::uint32_t> addAll(Grouping&& other) {
    std::vector<std::uint32_t> places;
    places.reserve(other.m_groups.size());
    for (std::size_t i = 0; i < other.m_groups.size(); ++i) {
      Sum& group = other.m_groups[i];
      const std::uint32_t place = placeOf(group.value);
      m_groups[place].objects += group.objects;
      m_groups[place].bytes += group.bytes;
      if (other.m_firsts[i] < m_firsts[place]) {
        m_firsts[place] = other.m_firsts[i];
        m_groups[place].value = std::move(group.value);
      }
      places.push_back(place);
    }
    return places;
  }

  std::vector<Sum>& groups() { return m_groups; }
  /// The first object of each, by its order.
  const std::vector<std::size_t>& firsts() const { return m_firsts; }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  static constexpr std::size_t kNoObject = SIZE_MAX;

  std::uint32_t placeOf(const ObjectView& object) {
    const auto field = static_cast<ObjectField>(m_field.field);
    if (m_form == ObjectFieldForm::Symbol) {
      // Several numbers may be the same text. Null comes behind all of them.
      const std::uint32_t symbol = m_fields.symbol(field, object);
      std::uint32_t& place = symbol == ObjectFields::kNoSymbol ? m_bySymbol.back() : m_bySymbol[symbol];
      if (place == kNone) place = placeOf(m_reader.value(m_field, object));
      return place;
    }
    if (!m_isThere[object.facts.type.value]) return placeOfAbsent();
    if (m_form == ObjectFieldForm::Number) {
      if (const auto number = m_fields.number(field, object)) return placeOf(*number, object);
    }
    if (m_field == referenceTo(ObjectField::Count) || m_field == referenceTo(ObjectField::Capacity)) {
      if (const auto size = m_reader.sizeOf(field, object)) return placeOf(*size, object);
    }
    if (m_field == referenceTo(ObjectField::Text)) {
      const std::string_view characters = m_reader.charactersAt(object);
      if (!characters.empty()) return placeOfCharacters(characters, object);
    }
    return placeOf(m_reader.value(m_field, object));
  }

  // Most strings are one of few, whose text has to be read once only.
  std::uint32_t placeOfCharacters(std::string_view characters, const ObjectView& object) {
    const auto known = m_byCharacters.find(characters);
    if (known != m_byCharacters.end()) return known->second;
    const std::uint32_t place = placeOf(m_reader.value(m_field, object));
    m_byCharacters.emplace(characters, place);
    return place;
  }

  std::uint32_t placeOfAbsent() { return m_absent != kNone ? m_absent : placeOfText({}); }

  // Objects that lie side by side are often alike.
  std::uint32_t placeOf(std::uint64_t number, const ObjectView& object) {
    if (m_last != kNone && number == m_lastNumber) return m_last;
    const auto known = m_byNumber.find(number);
    m_last = known != m_byNumber.end() ? known->second : placeOf(m_reader.value(m_field, object));
    if (known == m_byNumber.end()) m_byNumber.emplace(number, m_last);
    m_lastNumber = number;
    return m_last;
  }

  /// A number that nothing but its digits is read of.
  static std::optional<std::uint64_t> wholeNumber(const QueryValue& value) {
    constexpr long double kEnd = 0x1p64L;
    const bool isNumber = value.isThere() && value.number && !value.flag && !value.text && !value.isAddress &&
                          value.width == QueryValue::Width::Exact;
    if (!isNumber || std::signbit(*value.number) || *value.number >= kEnd) return std::nullopt;
    const auto whole = static_cast<std::uint64_t>(*value.number);
    return static_cast<long double>(whole) == *value.number ? std::optional(whole) : std::nullopt;
  }

  std::uint32_t placeOf(QueryValue value) {
    const auto number = wholeNumber(value);
    if (number) {
      if (const auto known = m_byNumber.find(*number); known != m_byNumber.end()) return known->second;
    }
    const std::uint32_t place = placeOfText(std::move(value));
    if (number) m_byNumber.emplace(*number, place);
    return place;
  }

  std::uint32_t placeOfText(QueryValue value) {
    const bool isAbsent = value.state == QueryValue::State::Absent;
    if (isAbsent && m_absent != kNone) return m_absent;
    const auto known = m_byText.find(value);
    const auto place = known != m_byText.end() ? *known : static_cast<std::uint32_t>(m_groups.size());
    if (known == m_byText.end()) {
      m_groups.push_back({.value = std::move(value)});
      m_firsts.push_back(kNoObject);
      m_byText.insert(place);
    }
    if (isAbsent) m_absent = place;
    return place;
  }

  ObjectValues m_reader;
  const ObjectFields& m_fields;
  const QueryFieldReference& m_field;
  const ObjectFieldForm m_form;
  std::vector<Sum> m_groups;
  std::vector<std::size_t> m_firsts;      // of each group
  std::vector<std::uint8_t> m_isThere;    // by TypeId: whether objects of the type can have the field
  std::vector<std::uint32_t> m_bySymbol;  // places of groups; kNone for what was not met yet
  std::unordered_map<std::uint64_t, std::uint32_t> m_byNumber;
  std::uint64_t m_lastNumber = 0;
  std::uint32_t m_last = kNone;
  std::uint32_t m_absent = kNone;
  std::unordered_map<std::string_view, std::uint32_t> m_byCharacters;  // as they lie in the dump
  std::unordered_set<std::uint32_t, AsTheyRead, AsTheyRead> m_byText{0, AsTheyRead{m_groups}, AsTheyRead{m_groups}};
};

/// Those with the most bytes first; `places`: where each group comes to stand.
void putInOrder(Grouping& grouping, ObjectGroups& result, std::vector<std::uint32_t>& places) {
  const auto kept = std::make_shared<std::vector<Sum>>(std::move(grouping.groups()));
  const std::vector<Sum>& groups = *kept;
  struct Entry {
    std::uint64_t bytes = 0;
    std::uint32_t place = 0;
  };
  std::vector<Entry> order(groups.size());
  for (std::uint32_t i = 0; i < groups.size(); ++i) order[i] = {groups[i].bytes, i};
  tbb::parallel_sort(order.begin(), order.end(), [&](const Entry& left, const Entry& right) {
    if (left.bytes != right.bytes) return left.bytes > right.bytes;
    const QueryValue &one = groups[left.place].value, &other = groups[right.place].value;
    if (isBefore(one, other)) return true;
    return !isBefore(other, one) && grouping.firsts()[left.place] < grouping.firsts()[right.place];
  });
  result.groups.reserve(groups.size());
  places.resize(groups.size());
  for (const Entry& each : order) {
    const Sum& group = groups[each.place];
    places[each.place] = static_cast<std::uint32_t>(result.groups.size());
    result.groups.push_back({group.objects, group.bytes, GroupValue(group.value)});
  }
  result.kept = kept;
}

}  // namespace

Outcome<ObjectGroups> groupObjects(const Snapshot& snapshot, const std::vector<std::uint32_t>& ids,
                                   const QueryFieldReference& field, ProgressSink* progress, std::stop_token stop) {
  HEAPSCAPE_TRY(const ObjectFields fields, ObjectFields::make(snapshot, std::span(&field, 1), nullptr, stop));
  const ValueReader values({*snapshot.contents().readers, snapshot.contents().heap.get()});
  if (ids.empty()) return ObjectGroups{};
  StageProgress adding(progress, "grouping the objects", 0, 1);
  if (field == referenceTo(ObjectField::Value)) return LineGroups(fields, values, ids, adding, stop).run();
  ObjectGroups result{.groups = {}, .groupOf = LargeArray<std::uint32_t>(ids.size())};
  const std::size_t parts = (ids.size() + kObjectsInPart - 1) / kObjectsInPart;
  tbb::enumerable_thread_specific<Grouping> groupings([&] { return Grouping(fields, values, field); });
  std::vector<const Grouping*> groupingOf(parts);
  std::atomic<std::size_t> done = 0;
  std::mutex telling;
  tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t part) {
    if (stop.stop_requested()) return;
    Grouping& grouping = groupings.local();
    groupingOf[part] = &grouping;
    ObjectViews views(fields);
    const std::size_t end = std::min(ids.size(), (part + 1) * kObjectsInPart);
    for (std::size_t i = part * kObjectsInPart; i < end; ++i) {
      const ObjectView* const view = views.of(ids[i]);
      result.groupOf[i] = view ? grouping.add(*view, i) : ObjectGroups::kNoGroup;
    }
    const std::lock_guard lock(telling);
    adding.report(static_cast<double>(++done) / static_cast<double>(parts));
  });
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  Grouping& all = *std::ranges::max_element(groupings, {}, [](Grouping& part) { return part.groups().size(); });
  std::unordered_map<const Grouping*, std::vector<std::uint32_t>> placesOf;
  for (Grouping& part : groupings) {
    if (&part != &all) placesOf[&part] = all.addAll(std::move(part));
  }
  std::vector<std::uint32_t>& ofAll = placesOf[&all];
  ofAll.resize(all.groups().size());
  std::iota(ofAll.begin(), ofAll.end(), 0u);
  std::vector<std::uint32_t> places;
  putInOrder(all, result, places);
  tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t part) {
    const std::vector<std::uint32_t>& among = placesOf.at(groupingOf[part]);
    const std::size_t end = std::min(ids.size(), (part + 1) * kObjectsInPart);
    for (std::size_t i = part * kObjectsInPart; i < end; ++i) {
      std::uint32_t& group = result.groupOf[i];
      if (group != ObjectGroups::kNoGroup) group = places[among[group]];
    }
  });
  return result;
}

}  // namespace heapscape::engine
