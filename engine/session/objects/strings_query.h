// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "memory/address_space.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// A string, or several with the same characters.
struct StringPlace {
  Address object;            // the one with the lowest address
  std::uint32_t hash = 0;    // the bits of it behind those that choose the part
  std::uint32_t length = 0;  // in UTF-16 units
  std::uint32_t count = 1;
  std::uint32_t number = 0;  // of the place, as HashedStrings::add() gives them
};
static_assert(sizeof(StringPlace) == 24, "a heap has millions of them");

/// Strings by the top bits of their hash, so that each part can be grouped by itself.
class HashedStrings {
 public:
  static constexpr std::size_t kParts = 256;

  HashedStrings() : m_recent(kRecent) {}

  /// Adds a string of such a hash and length in UTF-16 units. `characters`: where they lie for as long as strings are
  /// added; empty if they do not. A string that was added shortly before is only counted, since most of those that
  /// repeat do so often. The number of its place.
  std::uint32_t add(std::uint64_t hash, Address object, std::uint32_t length, Bytes characters);
  std::uint32_t places() const { return m_places; }
  const std::vector<StringPlace>& part(std::size_t number) const { return m_parts[number]; }
  /// Gives a part away, which is empty then; several threads may do so, each with its own part.
  std::vector<StringPlace> takePart(std::size_t number) { return std::exchange(m_parts[number], {}); }

  std::uint64_t unreadable = 0;  // strings whose characters the dump does not hold

 private:
  static constexpr std::size_t kRecent = 4096;
  static constexpr std::size_t kTogether = 4;  // whose hashes end alike: those met more often come first

  struct Recent {
    Bytes characters;  // empty if there is none
    std::uint64_t hash = 0;
    std::size_t index = 0;  // in its part
  };

  std::array<std::vector<StringPlace>, kParts> m_parts;
  std::vector<Recent> m_recent;  // by the low bits of the hash
  std::uint32_t m_places = 0;
};

/// Strings that have the same characters.
struct EqualStrings {
  Address first;  // the one with the lowest address
  std::uint32_t length = 0;
  std::uint64_t count = 0;
};

/// A hash of some characters; different ones may share it.
std::uint64_t hashOfCharacters(Bytes characters);

/// Groups strings by their characters, on all cores. The hashes only bring candidates together: every string of a group
/// is compared with its first one. Takes the strings' parts. Stops early when asked to.
std::vector<EqualStrings> groupEqualStrings(const AddressSpace& memory, std::uint64_t charactersOffset,
                                            std::vector<HashedStrings>& strings, const std::stop_token& stop);

/// Groups strings, group by group: visit(part, group, its places) is called from any core, for each part from one alone
/// and always in the same order. Numbers of places go on from one of `strings` to the next.
using VisitEqualStrings = std::function<void(std::size_t, const EqualStrings&, std::span<const StringPlace>)>;
void visitEqualStrings(const AddressSpace& memory, std::uint64_t charactersOffset, std::vector<HashedStrings>& strings,
                       const VisitEqualStrings& visit, const std::stop_token& stop);

/// All strings with the same characters.
struct StringGroup {
  std::string value;         // UTF-8, cut at 200 characters
  std::uint32_t length = 0;  // in UTF-16 units
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;        // aligned, all of them
  std::uint64_t wastedBytes = 0;  // all but one of them
  Address example;
};

struct StringList {
  std::vector<StringGroup> groups;                                      // by wasted bytes, then bytes, largest first
  std::uint64_t strings = 0, bytes = 0, distinct = 0, wastedBytes = 0;  // of all that match
  std::uint64_t unreadable = 0;  // strings whose characters the dump does not hold; not in any other figure
};

/// Strings grouped by their characters. `text`: only those that hold it, case kept; `limit`: at most so many groups.
/// Fails with BadQuery if the text is no UTF-8.
Outcome<StringList> listStrings(const Snapshot& snapshot, const std::string& text, std::size_t limit,
                                std::stop_token stop);

}  // namespace heapscape::engine
