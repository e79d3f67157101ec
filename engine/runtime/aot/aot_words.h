// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/address.h"
#include "memory/address_space.h"

namespace heapscape::engine {

inline constexpr std::uint64_t kMostAotDataBytes = 64 << 20;  // constructed types are among the variables

/// Calls `visit` with where each aligned word of a program's variables lies that is not 0, and the word, until it
/// returns false.
template <class Visit>
void forEachAotWord(const AddressSpace& space, std::span<const AddressRange> data, Visit visit) {
  for (const AddressRange& range : data) {
    const Address start{alignUp(range.start.value, kPointerBytes)};
    for (const AddressRange& part : space.present({start, std::min(range.end, start + kMostAotDataBytes)})) {
      const auto view = space.view(part);
      if (!view) continue;
      const std::uint64_t first = alignUp(part.start.value, kPointerBytes) - part.start.value;
      for (std::uint64_t at = first; at + kPointerBytes <= view->bytes.size(); at += kPointerBytes) {
        std::uint64_t word = 0;
        std::memcpy(&word, view->bytes.data() + at, sizeof word);
        if (word != 0 && !visit(part.start + at, word)) return;
      }
    }
  }
}

}  // namespace heapscape::engine
