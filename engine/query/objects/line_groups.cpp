// SPDX-License-Identifier: MIT
#include "query/objects/line_groups.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/large_array.h"
#include "query/objects/key_order.h"
#include "query/objects/line_notes.h"
#include "query/objects/object_values.h"
#include "query/objects/object_views.h"
#include "query/objects/text_order.h"
#include "query/objects/text_store.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kInPart = 1 << 16;  // objects; notes
constexpr double kNotedEnd = 0.8;

/// What groups hold.
struct KeptValues {
  std::vector<TextStore> texts = {};
  QueryValue withoutLine = {};
};

/// Groups objects by steps that follow each other, each on all cores.
class LineGroups {
 public:
  LineGroups(const ObjectFields& fields, const ValueReader& values, const std::vector<std::uint32_t>& ids,
             StageProgress& progress, const std::stop_token& stop)
      : m_fields(fields),
        m_ids(ids),
        m_progress(progress),
        m_stop(stop),
        m_values([&] { return ObjectValues(fields, values); }),
        m_notes(ids.size()) {}

  Outcome<ObjectGroups> run() {
    m_result.groupOf = LargeArray<std::uint32_t>(m_ids.size());
    note();
    m_notes.join(m_stop);
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    tell(makeGroups(inOrder(m_notes.different())));
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    m_kept->texts = m_notes.takeTexts();
    m_result.kept = std::move(m_kept);
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

  /// Leaves in place of each object's group its note.
  void note() {
    forEachPart(m_ids.size(), 0, kNotedEnd, [&](std::size_t first, std::size_t end) {
      LineNotes::Maker& maker = m_notes.ofThread();
      ObjectValues& values = m_values.local();
      ObjectViews views(m_fields);
      for (std::size_t i = first; i < end; ++i) {
        const ObjectView* const view = views.of(m_ids[i]);
        if (view) {
          maker.add(*view, static_cast<std::uint32_t>(i), values, m_result.groupOf[i]);
        } else {
          m_result.groupOf[i] = ObjectGroups::kNoGroup;
        }
      }
    });
  }

  /// Of notes those with the most bytes first, among those with as many by their lines.
  LargeArray<PlacedText> inOrder(const std::vector<std::uint32_t>& notes) {
    LargeArray<std::uint64_t> numbers(notes.size());
    for (std::size_t i = 0; i < notes.size(); ++i) numbers[i] = ~m_notes[notes[i]].bytes;
    const std::vector<std::uint32_t> byBytes = placesInOrder(
        std::move(numbers), notes.size(), [](double) {}, m_stop);
    LargeArray<PlacedText> order(byBytes.size());
    std::vector<std::span<PlacedText>> runs;  // of as many bytes
    for (std::size_t i = 0, begin = 0; i < order.size(); ++i) {
      const LineNote& note = m_notes[notes[byBytes[i]]];
      order[i] = {.begin = note.begin, .bytes = note.size, .place = notes[byBytes[i]]};
      const bool isEnd = i + 1 == order.size() || note.bytes != m_notes[notes[byBytes[i + 1]]].bytes;
      if (isEnd) runs.emplace_back(order.data() + std::exchange(begin, i + 1), order.data() + i + 1);
    }
    tbb::parallel_for(std::size_t{0}, runs.size(), [&](std::size_t i) {
      // What has no line comes before the empty one.
      const auto withLine = std::ranges::partition(runs[i], [](const PlacedText& line) { return !line.begin; });
      sortTexts({withLine.begin(), withLine.end()}, m_stop);
    });
    return order;
  }

  /// Gives the group of each note that others were joined with.
  LargeArray<std::uint32_t> makeGroups(const LargeArray<PlacedText>& order) {
    LargeArray<std::uint32_t> groupOf(m_notes.size());
    m_result.groups.resize(order.size());
    forEachPart(order.size(), kNotedEnd, kNotedEnd, [&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i) {
        const LineNote& note = m_notes[order[i].place];
        m_result.groups[i] = {note.objects, note.bytes, note.begin ? GroupValue(note.line()) : valueWithoutLine(note)};
        groupOf[order[i].place] = static_cast<std::uint32_t>(i);
      }
    });
    return groupOf;
  }

  // Of the one group that has none.
  GroupValue valueWithoutLine(const LineNote& note) {
    ObjectViews views(m_fields);
    const ObjectView* const view = views.of(m_ids[note.first]);
    if (view) m_kept->withoutLine = m_values.local().value(referenceTo(ObjectField::Value), *view);
    return GroupValue(m_kept->withoutLine);
  }

  void tell(const LargeArray<std::uint32_t>& groupOf) {
    LargeArray<std::uint32_t> ofNote(m_notes.size());
    forEachPart(m_notes.size(), kNotedEnd, kNotedEnd, [&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i) ofNote[i] = groupOf[m_notes[static_cast<std::uint32_t>(i)].sameAs];
    });
    forEachPart(m_ids.size(), kNotedEnd, 1, [&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i) {
        std::uint32_t& group = m_result.groupOf[i];
        if (group != ObjectGroups::kNoGroup) group = ofNote[group];
      }
    });
  }

  const ObjectFields& m_fields;
  const std::vector<std::uint32_t>& m_ids;
  StageProgress& m_progress;
  const std::stop_token& m_stop;
  tbb::enumerable_thread_specific<ObjectValues> m_values;
  LineNotes m_notes;
  std::shared_ptr<KeptValues> m_kept = std::make_shared<KeptValues>();
  ObjectGroups m_result;
};

}  // namespace

Outcome<ObjectGroups> groupByLine(const ObjectFields& fields, const ValueReader& values,
                                  const std::vector<std::uint32_t>& ids, StageProgress& progress,
                                  const std::stop_token& stop) {
  return LineGroups(fields, values, ids, progress, stop).run();
}

}  // namespace heapscape::engine
