// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "models/rows/row_list.h"
#include "session/details/address_query.h"

namespace heapscape::gui {

/// A word of memory and what it leads to, or a stretch of which nothing is in the dump.
struct RawWord {
  engine::MemoryWord word;
  std::uint64_t missingBytes = 0;  // of a stretch; 0 for a word
  std::optional<engine::AddressMeaning> meaning = {};
};

/// A page of memory with what it belongs to; made on the engine thread.
struct RawMemory {
  std::vector<engine::AddressMeaning> owners;  // of its first byte, the most particular first
  std::vector<RawWord> words;
  /// To explain the next page of the same dump with.
  std::shared_ptr<const engine::AddressMeanings> meanings;
};

RowSchema<RawWord> rawWordSchema();

/// `meanings`: of the same dump, if it was read before.
engine::Outcome<RawMemory> readRawMemory(const engine::Snapshot& snapshot, engine::AddressRange range,
                                         std::shared_ptr<const engine::AddressMeanings> meanings, std::stop_token stop);

}  // namespace heapscape::gui
