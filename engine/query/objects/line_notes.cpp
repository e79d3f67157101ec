// SPDX-License-Identifier: MIT
#include "query/objects/line_notes.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <span>

#include "query/objects/same_hashes.h"

namespace heapscape::engine {
namespace {

Hash128 hashOfBytes(std::string_view bytes) {
  return hash128Of(std::as_bytes(std::span(bytes)));
}

}  // namespace

// No number is larger than 32 bits hold: there are at most as many notes as objects, and what threads leave over.
LineNotes::LineNotes(std::size_t objects)
    : m_makers([this] { return Maker(*this); }),
      m_notes(objects + kAtOnce * static_cast<std::size_t>(tbb::this_task_arena::max_concurrency() + 1)),
      m_hashes(m_notes.size()) {}

void LineNotes::Maker::add(const ObjectView& object, std::uint32_t place, ObjectValues& values, std::uint32_t& number) {
  m_values = &values;
  Pending& pending = m_pending[m_pendingCount++];
  pending = {.object = object, .place = place, .number = &number};
  if (!m_recurring.mayRecur(object.facts.type)) {
    pending.way = Way::None;
  } else if (const auto origin = values.originOf(referenceTo(ObjectField::Value), object); !origin.empty()) {
    pending.way = Way::Origin;
    pending.origin = hashOfBytes(origin);
    m_known.prefetch(pending.origin);
  }
  if (m_pendingCount == kPending) finish();
}

void LineNotes::Maker::finish() {
  for (const Pending& object : std::span(m_pending).first(m_pendingCount)) {
    const std::uint32_t number = *object.number = numberOf(object);
    LineNote& note = m_notes.m_notes[number];
    note.first = note.objects ? std::min(note.first, object.place) : object.place;
    note.bytes += object.object.facts.alignedBytes();
    ++note.objects;
  }
  m_pendingCount = 0;
}

std::uint32_t LineNotes::Maker::numberOf(const Pending& object) {
  const TypeId type = object.object.facts.type;
  if (object.way == Way::Origin) {
    if (const std::uint32_t* const known = m_known.find(object.origin)) {
      m_recurring.countKnown(type);
      return *known;
    }
  }
  const auto line = m_values->lineOf(object.object);
  if (!line) {
    if (!m_absent) m_absent = make(std::nullopt, {});
    return *m_absent;
  }
  const Hash128 hash = hashOfBytes(*line);
  if (object.way == Way::Line) {
    // Other bytes than any that a line is made of.
    if (const std::uint32_t* const known = m_known.find(Hash128{hash.low, ~hash.high})) {
      m_recurring.countKnown(type);
      return *known;
    }
  }
  const std::uint32_t number = make(line, hash);
  if (object.way != Way::None) m_known.keep(number);
  return number;
}

std::uint32_t LineNotes::Maker::make(std::optional<std::string_view> line, const Hash128& hash) {
  if (m_next == m_end) {
    m_next = m_notes.m_used.fetch_add(kAtOnce);
    m_end = m_next + kAtOnce;
  }
  const std::uint32_t number = m_next++;
  m_notes.m_hashes[number] = hash;
  if (!line) return number;
  const std::string_view kept = m_lines.keep(*line);
  LineNote& note = m_notes.m_notes[number];
  note.begin = kept.data();
  note.size = static_cast<std::uint32_t>(kept.size());
  return number;
}

void LineNotes::join(const std::stop_token& stop) {
  for (Maker& maker : m_makers) maker.finish();
  const std::size_t count = size();
  tbb::parallel_for(std::uint32_t{0}, static_cast<std::uint32_t>(count),
                    [&](std::uint32_t i) { m_notes[i].sameAs = i; });
  const auto joinWith = [&](std::uint32_t first, std::uint32_t later) {
    LineNote &note = m_notes[first], &same = m_notes[later];
    same.sameAs = first;
    if (same.objects == 0) return;
    note.first = note.objects ? std::min(note.first, same.first) : same.first;
    note.objects += same.objects;
    note.bytes += same.bytes;
  };
  forEachSame(m_hashes, count, joinWith, stop);
}

std::vector<TextStore> LineNotes::takeTexts() {
  std::vector<TextStore> texts;
  for (Maker& maker : m_makers) texts.push_back(std::move(maker.m_lines));
  return texts;
}

std::vector<std::uint32_t> LineNotes::different() const {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < size(); ++i) {
    if (m_notes[i].sameAs == i && m_notes[i].objects) numbers.push_back(i);
  }
  return numbers;
}

}  // namespace heapscape::engine
