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

}  // namespace heapscape::engine
