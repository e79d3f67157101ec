// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "layout/code_owners.h"
#include "session/snapshot/snapshot.h"
#include "tables/table.h"

namespace heapscape::engine {

/// A type with what of it is in some part of the heap. Its texts lie in the snapshot.
struct ListedType {
  std::string_view name;
  std::string_view assembly;
  std::string_view loadContext = {};
  Address methodTable;
  // Nothing in a recorded heap, which does not tell layouts.
  std::optional<std::uint32_t> baseSize = {};
  std::optional<std::uint32_t> componentSize = {};
  CodeOwner owner = CodeOwner::Own;
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  double share = 0;                                 // of all bytes in the heap
  std::optional<std::uint64_t> paddingBytes = {};   // nothing in a recorded heap
  std::optional<std::uint64_t> retainedBytes = {};  // of all in the heap that can be reached; see typeRetained()
  std::optional<std::uint64_t> reachable = {};      // how many these are
  std::optional<std::uint64_t> garbageBytes = {};   // of those among `count` that no root leads to
  std::optional<std::uint64_t> garbageCount = {};   // how many these are
  std::optional<std::array<std::uint64_t, kGenerationCount>> generationBytes = {};  // nothing in a recorded heap
};
ListedType listedType(const Snapshot& snapshot, const TypeCounts& counts, TypeId type);

const TableOf<ListedType>& typesTable();

}  // namespace heapscape::engine
