// SPDX-License-Identifier: MIT
#include "metadata/names/name_index.h"

#include <algorithm>
#include <functional>

#include "metadata/metadata.h"

namespace heapscape::engine {

namespace {

// What building may read of names, so that millions of rows sharing one long text cannot stall it. CoreLib has 0.1 MB.
constexpr std::size_t kMaxNameBytes = 512ull << 20;

std::uint32_t hashOf(std::string_view name) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>{}(name));
}

}  // namespace

void NameIndex::build(const Metadata& metadata) const {
  std::vector<Entry> entries;
  const std::uint32_t count = metadata.rowCount(TableId::TypeDef);
  entries.reserve(count);
  std::size_t nameBytes = 0;
  for (std::uint32_t row = 1; row <= count && nameBytes < kMaxNameBytes; ++row) {
    const std::string name = metadata.typeDefName(row);
    nameBytes += name.size();
    entries.push_back({hashOf(name), row});
  }
  std::sort(entries.begin(), entries.end());
  m_entries = std::move(entries);
}

std::uint32_t NameIndex::find(const Metadata& metadata, std::string_view fullName) const {
  std::call_once(m_built, [&] { build(metadata); });
  for (const Entry& entry : std::ranges::equal_range(m_entries, hashOf(fullName), {}, &Entry::hash)) {
    if (metadata.typeDefName(entry.row) == fullName) return entry.row;
  }
  return 0;
}

}  // namespace heapscape::engine
