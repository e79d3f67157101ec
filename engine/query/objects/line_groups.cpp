// SPDX-License-Identifier: MIT
#include "query/objects/line_groups.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/content_hash.h"
#include "base/large_array.h"
#include "query/objects/group_notes.h"
#include "query/objects/key_order.h"
#include "query/objects/object_values.h"
#include "query/objects/object_views.h"
#include "query/objects/recent_answers.h"
#include "query/objects/text_order.h"
#include "query/objects/text_store.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kInPart = 1 << 16;  // objects; notes
constexpr double kNotedEnd = 0.5, kWrittenEnd = 0.9;

/// Of all that has no line.
constexpr Hash128 kOfAbsent = {};

/// Notes of the objects that one thread looks at.
class LineNotes {
 public:
  LineNotes(const ObjectFields& fields, const ValueReader& values) : m_values(fields, values) {
    for (std::uint32_t i = 0; i < fields.snapshot().types().size(); ++i)
      m_isThere.push_back(m_values.isPossible(m_field, {i}));
  }

  LineNotes(const LineNotes&) = delete;
  LineNotes& operator=(const LineNotes&) = delete;

  /// `place`: of the object among all. Gives that of its note.
  std::uint32_t add(const ObjectView& object, std::uint32_t place) {
    const Hash128 hash = hashFor(object);
    const std::uint32_t* const known = m_known.find(hash);
    const std::uint32_t number = known ? *known : static_cast<std::uint32_t>(m_notes.size());
    if (!known) {
      m_notes.push_back({.hash = hash, .first = place});
      m_known.keep(number);
    }
    GroupNote& note = m_notes[number];
    note.bytes += object.facts.alignedBytes();
    ++note.objects;
    note.first = std::min(note.first, place);
    return number;
  }

  const std::vector<GroupNote>& notes() const { return m_notes; }
  void dropNotes() { m_notes = {}; }

  QueryValue value(const ObjectView& object) { return m_values.value(m_field, object); }
  /// The line of an object, which is kept here; without a beginning if it has none.
  std::string_view line(const ObjectView& object) {
    const QueryValue told = value(object);
    return told.text ? m_lines.keep(*told.text) : std::string_view();
  }

 private:
  // Lines that are not told by what they are made of are told by themselves.
  Hash128 hashFor(const ObjectView& object) {
    if (!m_isThere[object.facts.type.value]) return kOfAbsent;
    const std::string_view origin = m_values.originOf(m_field, object);
    if (!origin.empty()) return hash128Of(std::as_bytes(std::span(origin)));
    const QueryValue told = value(object);
    return told.text ? ofLine(*told.text) : kOfAbsent;
  }
  // Other bytes than any that a line is made of.
  static Hash128 ofLine(const std::string& line) {
    const Hash128 hash = hash128Of(std::as_bytes(std::span(line)));
    return {hash.low, ~hash.high};
  }

  const QueryFieldReference m_field = referenceTo(ObjectField::Value);
  ObjectValues m_values;
  std::vector<std::uint8_t> m_isThere;  // by TypeId
  std::vector<GroupNote> m_notes;
  RecentAnswers<std::uint32_t> m_known;  // places of notes
  TextStore m_lines;
};

/// Groups objects by steps that follow each other, each on all cores.
class LineGroups {
 public:
  LineGroups(const ObjectFields& fields, const ValueReader& values, const std::vector<std::uint32_t>& ids,
             StageProgress& progress, const std::stop_token& stop)
      : m_fields(fields), m_ids(ids), m_progress(progress), m_stop(stop), m_threads([&] {
          return LineNotes(fields, values);
        }) {}

  Outcome<ObjectGroups> run() {
    m_result.groupOf.resize(m_ids.size(), ObjectGroups::kNoGroup);
    note();
    JoinedNotes byOrigin = joinNotes(m_notes, m_stop);
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    write(byOrigin);
    const JoinedNotes byLine = joinNotes(byOrigin.notes, m_stop);
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    const LargeArray<std::uint32_t> places = putInOrder(byOrigin.notes, byLine);
    tell(byOrigin.placeOf, byLine.placeOf, places);
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    return std::move(m_result);
  }

 private:
  template <class Visit>
  void forEachPart(std::size_t count, double from, double to, Visit visit) {
    const std::size_t parts = (count + kInPart - 1) / kInPart;
    std::size_t done = 0;
    std::mutex telling;
    tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t part) {
      if (m_stop.stop_requested()) return;
      visit(part * kInPart, std::min(count, (part + 1) * kInPart));
      const std::lock_guard lock(telling);
      m_progress.report(from + (to - from) * static_cast<double>(++done) / static_cast<double>(parts));
    });
  }

  /// Leaves notes of all threads, and in place of each object's group its note.
  void note() {
    std::vector<const LineNotes*> threadOf((m_ids.size() + kInPart - 1) / kInPart);
    forEachPart(m_ids.size(), 0, kNotedEnd, [&](std::size_t first, std::size_t end) {
      LineNotes& thread = m_threads.local();
      threadOf[first / kInPart] = &thread;
      ObjectViews views(m_fields);
      for (std::size_t i = first; i < end; ++i) {
        if (const ObjectView* const view = views.of(m_ids[i]))
          m_result.groupOf[i] = thread.add(*view, static_cast<std::uint32_t>(i));
      }
    });
    std::size_t count = 0;
    for (const LineNotes& thread : m_threads) count += thread.notes().size();
    m_notes = LargeArray<GroupNote>(count);
    std::uint32_t before = 0;
    for (LineNotes& thread : m_threads) {
      std::ranges::copy(thread.notes(), m_notes.data() + before);
      forEachPart(m_ids.size(), kNotedEnd, kNotedEnd, [&](std::size_t first, std::size_t end) {
        if (threadOf[first / kInPart] != &thread) return;
        for (std::uint32_t& group : std::span(m_result.groupOf).subspan(first, end - first))
          if (group != ObjectGroups::kNoGroup) group += before;
      });
      before += static_cast<std::uint32_t>(thread.notes().size());
      thread.dropNotes();
    }
  }

  /// Writes the line of each note that was joined, whose hash is that of the line from then on. In the order of
  /// objects, more or less, since those lie side by side in memory.
  void write(JoinedNotes& joined) {
    m_lines = LargeArray<std::string_view>(joined.notes.size());
    forEachPart(m_notes.size(), kNotedEnd, kWrittenEnd, [&](std::size_t first, std::size_t end) {
      LineNotes& thread = m_threads.local();
      ObjectViews views(m_fields);
      for (std::size_t i = first; i < end; ++i) {
        const std::uint32_t place = joined.placeOf[i];
        GroupNote& note = joined.notes[place];
        if (note.first != m_notes[i].first) continue;
        const ObjectView* const view = views.of(m_ids[note.first]);
        const std::string_view line = view ? thread.line(*view) : std::string_view();
        m_lines[place] = line;
        note.hash = line.data() ? hash128Of(std::as_bytes(std::span(line))) : kOfAbsent;
      }
    });
  }

  /// Makes the groups, and says where each of those that were joined has come to stand.
  LargeArray<std::uint32_t> putInOrder(const LargeArray<GroupNote>& lines, const JoinedNotes& groups) {
    const std::size_t count = groups.notes.size();
    LargeArray<std::uint32_t> lineOf(count);
    forEachPart(lines.size(), kWrittenEnd, kWrittenEnd, [&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i) {
        const std::uint32_t group = groups.placeOf[i];
        if (lines[i].first == groups.notes[group].first) lineOf[group] = static_cast<std::uint32_t>(i);
      }
    });
    const LargeArray<PlacedText> order = inOrder(groups.notes, lineOf);
    LargeArray<std::uint32_t> places(count);
    m_result.groups.resize(count);
    forEachPart(order.size(), kWrittenEnd, kWrittenEnd, [&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i) {
        const GroupNote& note = groups.notes[order[i].place];
        ObjectGroup& group = m_result.groups[i];
        group.value = order[i].begin ? QueryValue::ofText(std::string(order[i].text())) : valueWithoutLine(note);
        group.objects = note.objects;
        group.bytes = note.bytes;
        places[order[i].place] = static_cast<std::uint32_t>(i);
      }
    });
    return places;
  }

  QueryValue valueWithoutLine(const GroupNote& note) {
    ObjectViews views(m_fields);
    const ObjectView* const view = views.of(m_ids[note.first]);
    return view ? m_threads.local().value(*view) : QueryValue();
  }

  /// Groups with the most bytes first, among those with as many by their lines; places are those of the groups.
  LargeArray<PlacedText> inOrder(const LargeArray<GroupNote>& groups, const LargeArray<std::uint32_t>& lineOf) {
    LargeArray<std::uint64_t> numbers(groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i) numbers[i] = ~groups[i].bytes;
    const std::vector<std::uint32_t> byBytes = placesInOrder(
        std::move(numbers), groups.size(), [](double) {}, m_stop);
    LargeArray<PlacedText> order(byBytes.size());
    std::vector<std::span<PlacedText>> runs;  // of as many bytes
    for (std::size_t i = 0, begin = 0; i < order.size(); ++i) {
      const std::string_view line = m_lines[lineOf[byBytes[i]]];
      order[i] = {.begin = line.data(), .bytes = static_cast<std::uint32_t>(line.size()), .place = byBytes[i]};
      const bool isEnd = i + 1 == order.size() || groups[byBytes[i]].bytes != groups[byBytes[i + 1]].bytes;
      if (isEnd) runs.emplace_back(order.data() + std::exchange(begin, i + 1), order.data() + i + 1);
    }
    tbb::parallel_for(std::size_t{0}, runs.size(), [&](std::size_t i) {
      // What has no line comes before the empty one.
      const auto withLine = std::ranges::partition(runs[i], [](const PlacedText& line) { return !line.begin; });
      sortTexts({withLine.begin(), withLine.end()}, m_stop);
    });
    return order;
  }

  void tell(const LargeArray<std::uint32_t>& lineOf, const LargeArray<std::uint32_t>& groupOf,
            const LargeArray<std::uint32_t>& places) {
    LargeArray<std::uint32_t> placeOf(lineOf.size());
    forEachPart(lineOf.size(), kWrittenEnd, kWrittenEnd, [&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i) placeOf[i] = places[groupOf[lineOf[i]]];
    });
    forEachPart(m_ids.size(), kWrittenEnd, 1, [&](std::size_t first, std::size_t end) {
      for (std::uint32_t& group : std::span(m_result.groupOf).subspan(first, end - first))
        if (group != ObjectGroups::kNoGroup) group = placeOf[group];
    });
  }

  const ObjectFields& m_fields;
  const std::vector<std::uint32_t>& m_ids;
  StageProgress& m_progress;
  const std::stop_token& m_stop;
  tbb::enumerable_thread_specific<LineNotes> m_threads;
  LargeArray<GroupNote> m_notes;         // of all threads
  LargeArray<std::string_view> m_lines;  // by joined note, kept by the threads
  ObjectGroups m_result;
};

}  // namespace

Outcome<ObjectGroups> groupByLine(const ObjectFields& fields, const ValueReader& values,
                                  const std::vector<std::uint32_t>& ids, StageProgress& progress,
                                  const std::stop_token& stop) {
  return LineGroups(fields, values, ids, progress, stop).run();
}

}  // namespace heapscape::engine
