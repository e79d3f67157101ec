// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/enum_names.h"
#include "base/finding.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Cause of damage in a part of the heap, as far as the bytes show.
enum class DamageCause : std::uint8_t {
  Process,     // the file is whole, so the program itself has written where it should not
  FlippedBit,  // one bit differs from what would be right: of the machine's memory, or of the file
  File,        // bytes are missing, or whole pages are zeros
  Collection,  // the dump was taken while objects were being moved
};

template <>
inline constexpr auto kEnumNames<DamageCause> =
    std::to_array<EnumName<DamageCause>>({{DamageCause::Process, "process"},
                                          {DamageCause::FlippedBit, "flippedBit"},
                                          {DamageCause::File, "file"},
                                          {DamageCause::Collection, "collection"}});

/// Where the heap stops making sense, and what lies around it: whoever looks for the one that overran looks at the
/// object in front of it.
struct BadObject {
  Address address;  // of the object that should begin there, or that does and contradicts itself
  DamageCause cause = DamageCause::Process;
  std::string what;    // a sentence: what it looks like
  std::string advice;  // a sentence
  Address next;        // the first object behind it that is sound; 0 if none is in its segment
  struct Neighbour {
    Address address;
    std::string type;
    std::uint64_t sizeBytes = 0;
    std::optional<std::uint32_t> length;  // of an array, or a string
    std::uint64_t gapBytes = 0;           // between the end of what it holds and the bad object
  };
  std::optional<Neighbour> before;
  Address wordsFrom;                 // the word in front of the object, with its header
  std::vector<std::uint64_t> words;  // as far as they are in the dump, up to the next sound object
  std::string text;                  // the same bytes as people may have written them; empty if they are no text
};

/// Describes the damaged objects that findings are about, by address, at most `most`.
std::vector<BadObject> badObjects(const Snapshot& snapshot, std::span<const Finding> findings, std::size_t most = 10);

}  // namespace heapscape::engine
