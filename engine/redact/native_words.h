// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "memory/address_space.h"
#include "redact/mapped_addresses.h"

namespace heapscape::engine {

/// Whether a word is an address, or one shifted by a bit, as maps of the runtime keep them.
inline bool isAddress(std::uint64_t word, const MappedAddresses& mapped) {
  return mapped.contains(word) || mapped.contains(word << 1);
}

/// What of a word is a small number, or a pair of them, as counts, flags and states of structures are, and no text in
/// ASCII or UTF-16. Beside a number of 32 bits may stand what was there before.
std::uint64_t plainNumbersOf(std::uint64_t word);
/// The same where a part of a number of 32 bits would be another one, as in an object's header, where a sync block's
/// number would become the owner of a lock: each half is left whole or not at all.
std::uint64_t plainHalvesOf(std::uint64_t word);
/// What of a word is an HRESULT of a failure, as exceptions have one.
std::uint64_t failureCodesOf(std::uint64_t word);
/// Whether some of the bytes of the word at an offset are part of a longer text in ASCII or UTF-16. `offset`: a
/// multiple of 8. Words that are addresses are no text.
bool isInText(Bytes bytes, std::size_t offset, const MappedAddresses& mapped);

/// Pieces of native memory that the C library has handed out (malloc_chunk, malloc/malloc.c in glibc), by address; of
/// arenas, whose pieces follow each other without a gap, and of pieces that have a mapping of their own. What does not
/// look so is left out. `ranges`: memory that nothing of the runtime claims, by address.
std::vector<AddressRange> allocatedPieces(const AddressSpace& memory, std::span<const AddressRange> ranges);

/// Finds which native memory the runtime's structures lead to, from word to word.
class NativeReach {
 public:
  /// `ranges`: native memory by address. `memory` must outlive this.
  NativeReach(const AddressSpace& memory, std::vector<AddressRange> ranges, bool isGlibc);

  /// Takes what the words of a range lead to.
  void follow(AddressRange range);
  /// The piece that an address lies in; empty if nothing tells how long it is.
  AddressRange pieceAt(Address address) const;
  /// Follows all that was taken. The pieces that were met, by address; where nothing tells how long a piece is, the
  /// page of the address and the one behind it.
  Outcome<std::vector<AddressRange>> reached(std::stop_token stop);

 private:
  void take(std::uint64_t word);

  const AddressSpace& m_memory;
  const bool m_isGlibc;
  std::vector<AddressRange> m_ranges;
  std::vector<AddressRange> m_pieces;
  std::vector<bool> m_isTaken;                // by piece
  std::unordered_set<std::uint64_t> m_pages;  // taken
  std::vector<AddressRange> m_waiting;
  std::vector<AddressRange> m_reached;
};

/// Where texts of a set stand in memory, in UTF-8 or UTF-16, ended by a zero, and what to write in their place.
class KeptTexts {
 public:
  /// `replacement` has as many bytes as `text`.
  void add(const std::string& text, const std::string& replacement) { m_texts.emplace(text, replacement); }

  struct Found {
    Address address;
    std::vector<std::byte> bytes;
  };
  void findIn(const AddressSpace& memory, AddressRange range, std::vector<Found>& found) const;

 private:
  std::unordered_map<std::string, std::string> m_texts;
};

}  // namespace heapscape::engine
