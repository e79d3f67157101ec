// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "base/address.h"
#include "memory/address_space.h"

namespace heapscape::engine {

/// The characters of one string, wherever they lie.
struct StringPlace {
  std::uint64_t hash = 0;
  Address object;
  std::uint32_t length = 0;  // in UTF-16 units
};

/// Strings by the top bits of their hash, so that each part can be grouped by itself.
struct HashedStrings {
  static constexpr int kPartBits = 8;
  std::array<std::vector<StringPlace>, 1 << kPartBits> parts;
  std::uint64_t unreadable = 0;  // strings whose characters the dump does not hold

  void add(const StringPlace& place) { parts[place.hash >> (64 - kPartBits)].push_back(place); }
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
/// is compared with its first one. Stops early when asked to.
std::vector<EqualStrings> groupEqualStrings(const AddressSpace& memory, std::uint64_t charactersOffset,
                                            const std::vector<HashedStrings>& strings, const std::stop_token& stop);

}  // namespace heapscape::engine
