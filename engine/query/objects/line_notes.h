// SPDX-License-Identifier: MIT
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "base/content_hash.h"
#include "base/large_array.h"
#include "query/objects/object_values.h"
#include "query/objects/recent_answers.h"
#include "query/objects/recurring_types.h"
#include "query/objects/text_store.h"

namespace heapscape::engine {

/// Objects that have the same line (the field Value).
struct LineNote {
  const char* begin = nullptr;  // of the line; null if they have none
  std::uint32_t size = 0;       // bytes of it
  std::uint32_t objects = 0;
  std::uint64_t bytes = 0;   // aligned
  std::uint32_t first = 0;   // the smallest place of them
  std::uint32_t sameAs = 0;  // the first note with this line, once they are joined

  std::string_view line() const { return {begin, size}; }
};

/// Numbers the lines of objects on all cores. Most objects get the number of a note that was made before, by what their
/// lines are made of; so each line is written and kept about once. Notes of the same line are joined in the end.
class LineNotes {
 public:
  /// Of one thread.
  class Maker {
   public:
    explicit Maker(LineNotes& notes) : m_notes(notes) {}

    /// `place`: what the objects are told apart by. The number of its note comes to stand in `number`, by the time that
    /// all are joined; `values` have to be there until then.
    void add(const ObjectView& object, std::uint32_t place, ObjectValues& values, std::uint32_t& number);

   private:
    friend class LineNotes;
    /// How its line is looked for: by what it is made of, by itself where nothing tells that, or not at all.
    enum class Way : std::uint8_t { Origin, Line, None };
    /// Several are looked for at once, so that nobody waits for memory.
    struct Pending {
      ObjectView object;
      Way way = Way::Line;
      Hash128 origin = {};
      std::uint32_t place = 0;
      std::uint32_t* number = nullptr;
    };
    static constexpr std::size_t kPending = 16;

    void finish();
    std::uint32_t numberOf(const Pending& object);
    std::uint32_t make(std::optional<std::string_view> line, const Hash128& hash);

    LineNotes& m_notes;
    ObjectValues* m_values = nullptr;  // that were used last
    RecurringTypes m_recurring;
    std::array<Pending, kPending> m_pending;
    std::size_t m_pendingCount = 0;
    RecentAnswers<std::uint32_t> m_known;   // numbers by what lines are made of, or else by their own hashes
    std::optional<std::uint32_t> m_absent;  // of all without a line
    std::uint32_t m_next = 0, m_end = 0;    // numbers that are this thread's
    TextStore m_lines;
  };

  /// For so many objects at most.
  explicit LineNotes(std::size_t objects);
  LineNotes(const LineNotes&) = delete;
  LineNotes& operator=(const LineNotes&) = delete;

  Maker& ofThread() { return m_makers.local(); }

  /// Once all are made; adds up those of the same line. Means nothing if it was stopped.
  void join(const std::stop_token& stop);
  /// By number: of all that were made, and some that tell of no object.
  std::size_t size() const { return m_used.load(std::memory_order_relaxed); }
  const LineNote& operator[](std::uint32_t number) const { return m_notes[number]; }
  /// Numbers of the notes that others were joined with, ascending: one for each line.
  std::vector<std::uint32_t> different() const;
  /// What the lines of notes lie in, which is good without them.
  std::vector<TextStore> takeTexts();

 private:
  static constexpr std::uint32_t kAtOnce = 1 << 12;  // numbers that a thread takes

  tbb::enumerable_thread_specific<Maker> m_makers;
  std::atomic<std::uint32_t> m_used = 0;
  LargeArray<LineNote> m_notes;
  LargeArray<Hash128> m_hashes;  // of the lines, by number; of what has no line 0
};

}  // namespace heapscape::engine
