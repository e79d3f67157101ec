// SPDX-License-Identifier: MIT
#include "session/objects/string_grouping.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <tuple>

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
  bool isLess(const StringPlace& a, const StringPlace& b) {
    if (a.length != b.length) return a.length < b.length;
    const Bytes left = read(a, m_left);
    const Bytes right = read(b, m_right);
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

/// Groups strings [first, last) of one hash, which are in the order of their characters.
void groupNeighbours(CharacterReader& reader, Places::iterator first, Places::iterator last,
                     std::vector<EqualStrings>& groups) {
  while (first != last) {
    const auto end =
        std::find_if(first + 1, last, [&](const StringPlace& place) { return !reader.areEqual(*first, place); });
    groups.push_back(groupOf(first, end));
    first = end;
  }
}

/// Groups strings of one hash. Where they are not all the same, they are brought in order by their characters first,
/// so that a dump full of strings made to share a hash takes no longer than any other.
void groupSameHash(CharacterReader& reader, Places::iterator first, Places::iterator last,
                   std::vector<EqualStrings>& groups) {
  const bool areSame =
      std::all_of(first + 1, last, [&](const StringPlace& place) { return reader.areEqual(*first, place); });
  if (areSame) {
    groups.push_back(groupOf(first, last));
    return;
  }
  std::sort(first, last, [&](const StringPlace& a, const StringPlace& b) { return reader.isLess(a, b); });
  groupNeighbours(reader, first, last, groups);
}

std::vector<EqualStrings> groupPart(const AddressSpace& memory, std::uint64_t charactersOffset, Places places) {
  std::ranges::sort(places, {}, [](const StringPlace& place) { return std::tuple(place.hash, place.object); });
  CharacterReader reader(memory, charactersOffset);
  std::vector<EqualStrings> groups;
  for (auto first = places.begin(); first != places.end();) {
    const auto last =
        std::find_if(first + 1, places.end(), [&](const StringPlace& place) { return place.hash != first->hash; });
    groupSameHash(reader, first, last, groups);
    first = last;
  }
  return groups;
}

}  // namespace

void HashedStrings::add(const StringPlace& place, Bytes characters) {
  std::vector<StringPlace>& part = m_parts[place.hash / (UINT64_MAX / kParts + 1)];
  Recent& recent = m_recent[place.hash % kRecent];
  if (!characters.empty() && recent.hash == place.hash && isSame(recent.characters, characters)) {
    StringPlace& known = part[recent.index];
    known.object = std::min(known.object, place.object);
    known.count += place.count;
    return;
  }
  if (!characters.empty()) recent = {characters, place.hash, part.size()};
  part.push_back(place);
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
                                            const std::vector<HashedStrings>& strings, const std::stop_token& stop) {
  std::array<std::vector<EqualStrings>, HashedStrings::kParts> groups;
  tbb::parallel_for(std::size_t{0}, groups.size(), [&](std::size_t part) {
    if (stop.stop_requested()) return;
    Places places;
    for (const HashedStrings& some : strings)
      places.insert(places.end(), some.part(part).begin(), some.part(part).end());
    groups[part] = groupPart(memory, charactersOffset, std::move(places));
  });
  std::vector<EqualStrings> all;
  for (const auto& some : groups) all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace heapscape::engine
