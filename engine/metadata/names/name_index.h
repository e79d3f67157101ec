// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

namespace heapscape::engine {

class Metadata;

/// Finds type definitions by full name. Keeps hashes only and asks the metadata again for the names of the few that
/// fit.
class NameIndex {
 public:
  /// The first definition of that name, or 0. Builds the index at the first call, from any thread.
  std::uint32_t find(const Metadata& metadata, std::string_view fullName) const;

 private:
  struct Entry {
    std::uint32_t hash = 0;
    std::uint32_t row = 0;
    auto operator<=>(const Entry&) const = default;
  };

  void build(const Metadata& metadata) const;

  mutable std::once_flag m_built;
  mutable std::vector<Entry> m_entries;
};

}  // namespace heapscape::engine
