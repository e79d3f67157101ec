// SPDX-License-Identifier: MIT
#include "session/objects/strings_query.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <tuple>

#include "base/unicode.h"
#include "heap/segment_objects.h"
#include "session/objects/string_grouping.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kShownUnits = 200;

/// Finds the strings of the heap, those that hold a text.
class StringFinder {
 public:
  StringFinder(const Contents& contents, const TypeIndex::Slot& type, std::uint64_t charactersOffset,
               std::u16string text, std::stop_token stop)
      : m_contents(contents),
        m_type(type),
        m_charactersOffset(charactersOffset),
        m_text(std::move(text)),
        m_stop(std::move(stop)) {}

  std::vector<HashedStrings> find() const {
    const std::vector<Segment>& segments = *m_contents.segments;
    const std::vector<SegmentObjects> objects =
        objectsOfAll(*m_contents.memory, m_contents.heap->index, m_contents.heap->types, segments);
    std::vector<Piece> pieces;
    for (std::uint32_t i = 0; i < segments.size(); ++i) {
      for (Address start = segments[i].objects.start; start < segments[i].objects.end; start += kPieceBytes)
        pieces.push_back({i, {start, std::min(start + kPieceBytes, segments[i].objects.end)}});
    }
    tbb::enumerable_thread_specific<HashedStrings> found;
    tbb::parallel_for(std::size_t{0}, pieces.size(), [&](std::size_t i) {
      if (!m_stop.stop_requested()) findIn(objects[pieces[i].segment], pieces[i].range, found.local());
    });
    return {std::make_move_iterator(found.begin()), std::make_move_iterator(found.end())};
  }

 private:
  // Small enough to share a classic segment among the cores.
  static constexpr std::uint64_t kPieceBytes = 4 << 20;

  struct Piece {
    std::uint32_t segment = 0;
    AddressRange range;
  };

  void findIn(const SegmentObjects& objects, AddressRange range, HashedStrings& found) const {
    std::vector<std::byte> copy;
    objects.forEach(range, [&](const ObjectFacts& facts) {
      if (facts.type.value != m_type.type) return true;
      const std::uint64_t size = std::uint64_t{facts.components} * sizeof(char16_t);
      Bytes characters;
      const bool isInPlace = trySlice(objects.bytesOf(facts), m_charactersOffset, size, characters);
      if (!isInPlace) {
        copy.resize(size);
        if (!m_contents.memory->tryRead(facts.address + m_charactersOffset, copy)) {
          ++found.unreadable;
          return true;
        }
        characters = copy;
      }
      if (holdsText(characters))
        found.add(hashOfCharacters(characters), facts.address, facts.components, isInPlace ? characters : Bytes());
      return true;
    });
  }

  bool holdsText(Bytes characters) const {
    const Bytes text = std::as_bytes(std::span(m_text));
    if (text.empty()) return true;
    while (characters.size() >= text.size()) {
      const auto* found =
          static_cast<const std::byte*>(memmem(characters.data(), characters.size(), text.data(), text.size()));
      if (!found) return false;
      const auto offset = static_cast<std::size_t>(found - characters.data());
      if (offset % sizeof(char16_t) == 0) return true;
      characters = characters.subspan(offset + 1);  // found across two units; goes on in step with them
    }
    return false;
  }

  const Contents& m_contents;
  const TypeIndex::Slot& m_type;
  std::uint64_t m_charactersOffset;
  std::u16string m_text;
  std::stop_token m_stop;
};

std::uint64_t bytesOfOne(const TypeIndex::Slot& type, const EqualStrings& group) {
  return alignUp(objectSize(type.baseSize, type.componentSize, group.length), 8);
}

std::string shownText(const AddressSpace& memory, Address characters, std::uint32_t length) {
  std::u16string text(std::min<std::size_t>(length, kShownUnits), u'\0');
  memory.tryRead(characters, std::as_writable_bytes(std::span(text)));
  const bool endsInHalf = length > kShownUnits && text.back() >= 0xd800 && text.back() < 0xdc00;
  if (endsInHalf) text.pop_back();
  return toUtf8(text);
}

}  // namespace

Outcome<StringList> listStrings(const Snapshot& snapshot, const std::string& text, std::size_t limit,
                                std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  StringList list;
  auto wanted = toUtf16(text);
  if (!wanted) return failure(ErrorCode::BadQuery, "The text to look for is no UTF-8.");
  if (!contents.heap) return list;
  const ClrRuntime& runtime = contents.readers->runtime;
  HEAPSCAPE_TRY(const Address stringType, runtime.globalPointer("StringMethodTable"));
  const TypeIndex::Slot* type = contents.heap->types.find(stringType.value);
  if (!type) return list;
  const std::uint64_t charactersOffset = runtime.contract().offset("String", "m_FirstChar");

  auto strings = StringFinder(contents, *type, charactersOffset, std::move(*wanted), stop).find();
  std::vector<EqualStrings> groups = groupEqualStrings(*contents.memory, charactersOffset, strings, stop);
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  for (const HashedStrings& some : strings) list.unreadable += some.unreadable;
  for (const EqualStrings& group : groups) {
    list.strings += group.count;
    list.bytes += group.count * bytesOfOne(*type, group);
    list.wastedBytes += (group.count - 1) * bytesOfOne(*type, group);
  }
  list.distinct = groups.size();

  const auto rank = [&](const EqualStrings& group) {
    const std::uint64_t bytes = bytesOfOne(*type, group);
    return std::tuple(~((group.count - 1) * bytes), ~(group.count * bytes), group.first);
  };
  const auto shown = static_cast<std::ptrdiff_t>(std::min(limit, groups.size()));
  std::ranges::partial_sort(groups, groups.begin() + shown, {}, rank);
  for (const EqualStrings& group : std::span(groups).first(static_cast<std::size_t>(shown))) {
    const std::uint64_t bytes = bytesOfOne(*type, group);
    list.groups.push_back({shownText(*contents.memory, group.first + charactersOffset, group.length), group.length,
                           group.count, group.count * bytes, (group.count - 1) * bytes, group.first});
  }
  return list;
}

}  // namespace heapscape::engine
