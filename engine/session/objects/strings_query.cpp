// SPDX-License-Identifier: MIT
#include "session/objects/strings_query.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <tuple>

#include "base/unicode.h"
#include "heap/segment_objects.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

using Places = std::vector<StringPlace>;

bool isSame(Bytes a, Bytes b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

/// Compares characters where they lie in the file; copies those that do not lie in one piece.
class CharacterReader {
 public:
  CharacterReader(const AddressSpace& memory, std::uint64_t offset) : m_memory(memory), m_offset(offset) {}

  bool areEqual(const StringPlace& a, const StringPlace& b) {
    return a.length == b.length && isSame(read(a, m_left), read(b, m_right));
  }
  /// By all of the hash first, of which a place has a part.
  bool isLess(const StringPlace& a, const StringPlace& b) {
    const Bytes left = read(a, m_left);
    const Bytes right = read(b, m_right);
    const std::uint64_t leftHash = hashOfCharacters(left);
    const std::uint64_t rightHash = hashOfCharacters(right);
    if (leftHash != rightHash) return leftHash < rightHash;
    if (a.length != b.length) return a.length < b.length;
    if (left.size() != right.size()) return left.size() < right.size();  // one of them cannot be read
    const int order = left.empty() ? 0 : std::memcmp(left.data(), right.data(), left.size());
    return order != 0 ? order < 0 : a.object < b.object;
  }

 private:
  Bytes read(const StringPlace& place, std::vector<std::byte>& copy) const {
    const std::uint64_t size = std::uint64_t{place.length} * sizeof(char16_t);
    const Bytes inPlace = m_memory.prefix(place.object + m_offset, size);
    if (inPlace.size() == size) return inPlace;
    copy.resize(size);
    return m_memory.tryRead(place.object + m_offset, copy) ? Bytes(copy) : Bytes();
  }

  const AddressSpace& m_memory;
  std::uint64_t m_offset;
  std::vector<std::byte> m_left, m_right;
};

EqualStrings groupOf(Places::iterator first, Places::iterator last) {
  EqualStrings group{first->object, first->length, 0};
  for (; first != last; ++first) group.count += first->count;
  return group;
}

using VisitGroup = std::function<void(const EqualStrings&, std::span<const StringPlace>)>;

/// Groups strings [first, last) of one hash, which are in the order of their characters.
void groupNeighbours(CharacterReader& reader, Places::iterator first, Places::iterator last, const VisitGroup& visit) {
  while (first != last) {
    const auto end =
        std::find_if(first + 1, last, [&](const StringPlace& place) { return !reader.areEqual(*first, place); });
    visit(groupOf(first, end), {first, end});
    first = end;
  }
}

/// Groups strings of one hash. Where they are not all the same, they are brought in order by their characters first,
/// so that a dump full of strings made to share a hash takes no longer than any other.
void groupSameHash(CharacterReader& reader, Places::iterator first, Places::iterator last, const VisitGroup& visit) {
  const bool areSame =
      std::all_of(first + 1, last, [&](const StringPlace& place) { return reader.areEqual(*first, place); });
  if (areSame) {
    visit(groupOf(first, last), {first, last});
    return;
  }
  std::sort(first, last, [&](const StringPlace& a, const StringPlace& b) { return reader.isLess(a, b); });
  groupNeighbours(reader, first, last, visit);
}

void groupPart(const AddressSpace& memory, std::uint64_t charactersOffset, Places places, const VisitGroup& visit) {
  std::ranges::sort(places, {}, [](const StringPlace& place) { return std::tuple(place.hash, place.object); });
  CharacterReader reader(memory, charactersOffset);
  for (auto first = places.begin(); first != places.end();) {
    const auto last =
        std::find_if(first + 1, places.end(), [&](const StringPlace& place) { return place.hash != first->hash; });
    groupSameHash(reader, first, last, visit);
    first = last;
  }
}

}  // namespace

std::uint32_t HashedStrings::add(std::uint64_t hash, Address object, std::uint32_t length, Bytes characters) {
  constexpr std::uint64_t kHashesOfPart = UINT64_MAX / kParts + 1;
  std::vector<StringPlace>& part = m_parts[hash / kHashesOfPart];
  Recent* const recent = &m_recent[hash % kRecent / kTogether * kTogether];
  for (std::size_t i = 0; i < kTogether && !characters.empty(); ++i) {
    if (recent[i].hash != hash || !isSame(recent[i].characters, characters)) continue;
    StringPlace& known = part[recent[i].index];
    known.object = std::min(known.object, object);
    ++known.count;
    if (i) std::swap(recent[i], recent[i - 1]);
    return known.number;
  }
  if (!characters.empty()) recent[kTogether - 1] = {characters, hash, part.size()};
  const auto behindPart = static_cast<std::uint32_t>(hash % kHashesOfPart / (kHashesOfPart >> 32));
  part.push_back({object, behindPart, length, 1, m_places});
  return m_places++;
}

std::uint64_t hashOfCharacters(Bytes characters) {
  constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15;
  std::uint64_t hash = characters.size() * kMultiplier;
  while (!characters.empty()) {
    std::uint64_t word = 0;
    const std::size_t size = std::min(characters.size(), sizeof word);
    std::memcpy(&word, characters.data(), size);
    hash = (hash ^ word) * kMultiplier;
    hash ^= hash >> 29;
    characters = characters.subspan(size);
  }
  return hash * kMultiplier;
}

std::vector<EqualStrings> groupEqualStrings(const AddressSpace& memory, std::uint64_t charactersOffset,
                                            std::vector<HashedStrings>& strings, const std::stop_token& stop) {
  std::array<std::vector<EqualStrings>, HashedStrings::kParts> groups;
  const auto keep = [&](std::size_t part, const EqualStrings& group, std::span<const StringPlace>) {
    groups[part].push_back(group);
  };
  visitEqualStrings(memory, charactersOffset, strings, keep, stop);
  std::vector<EqualStrings> all;
  for (const auto& some : groups) all.insert(all.end(), some.begin(), some.end());
  return all;
}

void visitEqualStrings(const AddressSpace& memory, std::uint64_t charactersOffset, std::vector<HashedStrings>& strings,
                       const VisitEqualStrings& visit, const std::stop_token& stop) {
  tbb::parallel_for(std::size_t{0}, HashedStrings::kParts, [&](std::size_t part) {
    if (stop.stop_requested()) return;
    std::size_t size = 0;
    for (const HashedStrings& some : strings) size += some.part(part).size();
    Places places;
    places.reserve(size);
    std::uint32_t before = 0;
    for (HashedStrings& some : strings) {
      for (const StringPlace& place : some.takePart(part)) {
        places.push_back(place);
        places.back().number += before;
      }
      before += some.places();
    }
    groupPart(memory, charactersOffset, std::move(places),
              [&](const EqualStrings& group, std::span<const StringPlace> of) { visit(part, group, of); });
  });
}

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
