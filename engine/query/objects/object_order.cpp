// SPDX-License-Identifier: MIT
#include "query/objects/object_order.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include "base/counted_progress.h"
#include "base/large_array.h"
#include "query/objects/key_order.h"
#include "query/objects/object_values.h"
#include "query/objects/object_views.h"
#include "query/objects/sort_keys.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kObjectsPerTask = 1 << 11;
constexpr double kKeysShare = 0.65;     // of the progress, where keys are at hand; the rest is sorting
constexpr double kReadKeysShare = 0.9;  // where memory has to be read for them

std::size_t tasksOf(std::size_t objects) {
  return (objects + kObjectsPerTask - 1) / kObjectsPerTask;
}

/// Calls act(task, first, end, reader) for parts of the objects, on all cores.
template <class Act>
void inTasks(const ObjectFields& fields, const ValueReader& values, std::size_t objects,
             const std::function<void(double)>& told, const std::stop_token& stop, const Act& act) {
  const std::size_t tasks = tasksOf(objects);
  CountedProgress progress(tasks, told);
  tbb::enumerable_thread_specific<ObjectValues> readers([&] { return ObjectValues(fields, values); });
  tbb::parallel_for(std::size_t{0}, tasks, [&](std::size_t task) {
    if (stop.stop_requested()) return;
    act(task, task * kObjectsPerTask, std::min(objects, (task + 1) * kObjectsPerTask), readers.local());
    progress.finishOne();
  });
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
  if (!number) return UINT64_MAX;
  const std::uint64_t below = std::min(*number, UINT64_MAX - 1);
  return descending ? UINT64_MAX - 1 - below : below;
}

/// Keys of some of the objects, and which have none.
struct KeysOfTask {
  std::vector<KeyedPlace> keys;
  std::vector<std::uint32_t> ids;  // of these
  std::vector<std::uint32_t> absent, null;

  void add(std::uint32_t id, const SortKey& key) {
    keys.emplace_back(key);
    ids.push_back(id);
  }
  void add(std::uint32_t id, const QueryValue& value, SortKeys& maker) {
    if (value.isThere()) return add(id, maker.keyOf(value));
    (value.state == QueryValue::State::Null ? null : absent).push_back(id);
  }
};

template <class Member>
void append(std::vector<Member>& all, const std::vector<Member>& some) {
  all.insert(all.end(), some.begin(), some.end());
}

std::vector<std::uint32_t> sortedByMemory(const ObjectFields& fields, const ValueReader& values,
                                          const std::vector<std::uint32_t>& ids, const ObjectSearch& search,
                                          StageProgress& progress, const std::stop_token& stop) {
  tbb::enumerable_thread_specific<SortKeys> makers;  // keep the texts of the keys
  std::vector<KeysOfTask> tasks(tasksOf(ids.size()));
  const bool isText = *search.sortBy == referenceTo(ObjectField::Text);
  const auto told = [&](double share) { progress.report(kReadKeysShare * share); };
  inTasks(fields, values, ids.size(), told, stop,
          [&](std::size_t task, std::size_t first, std::size_t end, ObjectValues& reader) {
            KeysOfTask& made = tasks[task];
            SortKeys& maker = makers.local();
            ObjectViews views(fields);
            for (std::size_t i = first; i < end; ++i) {
              const ObjectView* const view = views.of(ids[i]);
              const auto text = view && isText ? reader.beginOfText(*view, SortKeys::kLongestText) : std::nullopt;
              if (text) {
                made.add(ids[i], maker.keyOf(*text));
              } else {
                made.add(ids[i], view ? reader.value(*search.sortBy, *view) : QueryValue(), maker);
              }
            }
          });
  if (stop.stop_requested()) return {};
  KeysOfTask all;
  for (KeysOfTask& task : tasks) {
    append(all.keys, task.keys);
    append(all.ids, task.ids);
    append(all.absent, task.absent);
    append(all.null, task.null);
    task = {};
  }
  std::vector<std::uint32_t> order = placesInOrder(
      std::move(all.keys), search.limit, search.descending,
      [&](double share) { progress.report(kReadKeysShare + (1 - kReadKeysShare) * share); }, stop);
  for (std::uint32_t& place : order) place = all.ids[place];
  append(order, search.descending ? all.null : all.absent);
  append(order, search.descending ? all.absent : all.null);
  order.resize(std::min(order.size(), search.limit));
  return order;
}

std::vector<std::uint32_t> sortedByNumber(const ObjectFields& fields, const ValueReader& values,
                                          const std::vector<std::uint32_t>& ids, const ObjectSearch& search,
                                          StageProgress& progress, const std::stop_token& stop) {
  const QueryFieldReference& reference = *search.sortBy;
  std::vector<std::uint64_t> ranks;
  // Generations have an order of their own.
  if (formOf(reference) == ObjectFieldForm::Symbol && reference != referenceTo(ObjectField::Gen))
    ranks = ranksOf(fields.symbols(static_cast<ObjectField>(reference.field)));
  LargeArray<std::uint64_t> keys(ids.size());
  const auto told = [&](double share) { progress.report(kKeysShare * share); };
  inTasks(fields, values, ids.size(), told, stop, [&](std::size_t, std::size_t first, std::size_t end, ObjectValues&) {
    ObjectViews views(fields);
    for (std::size_t i = first; i < end; ++i) {
      const ObjectView* const view = views.of(ids[i]);
      keys[i] = keyFor(view ? numberIn(fields, reference, *view, ranks) : std::nullopt, search.descending);
    }
  });
  if (stop.stop_requested()) return {};
  std::vector<std::uint32_t> order = placesInOrder(
      std::move(keys), search.limit, [&](double share) { progress.report(kKeysShare + (1 - kKeysShare) * share); },
      stop);
  for (std::uint32_t& place : order) place = ids[place];
  return order;
}

/// Ids are in the order of addresses.
std::vector<std::uint32_t> sortedByAddress(const std::vector<std::uint32_t>& ids, const ObjectSearch& search) {
  const auto first = static_cast<std::ptrdiff_t>(std::min(search.limit, ids.size()));
  if (search.sortBy && search.descending) return {ids.rbegin(), ids.rbegin() + first};
  return {ids.begin(), ids.begin() + first};
}

}  // namespace

Outcome<std::vector<std::uint32_t>> firstInOrder(const ObjectFields& fields, const ValueReader& values,
                                                 const std::vector<std::uint32_t>& ids, const ObjectSearch& search,
                                                 StageProgress& progress, const std::stop_token& stop) {
  if (!search.sortBy || *search.sortBy == referenceTo(ObjectField::Address)) return sortedByAddress(ids, search);
  auto sorted = formOf(*search.sortBy) == ObjectFieldForm::Memory
                    ? sortedByMemory(fields, values, ids, search, progress, stop)
                    : sortedByNumber(fields, values, ids, search, progress, stop);
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  return sorted;
}

}  // namespace heapscape::engine
