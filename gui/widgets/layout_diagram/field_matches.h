// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "layout/layout_items.h"

namespace heapscape::gui {

/// Which items of several layouts of a type are the same field: those with the same declaring types and names from the
/// outside in. Each field has a number; a padding has one of its own, since paddings of two layouts are never the same.
class FieldMatches {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  FieldMatches() = default;
  explicit FieldMatches(const std::vector<const engine::LayoutItems*>& columns);

  std::uint32_t count() const { return static_cast<std::uint32_t>(m_keys.size()); }
  std::uint32_t fieldOf(std::size_t column, std::uint32_t item) const { return m_fields[column][item]; }
  /// engine::LayoutItem::kNoItem if the column does not have it.
  std::uint32_t itemOf(std::size_t column, std::uint32_t field) const;
  /// The same in any set of columns that has it; to find a field again.
  const std::string& keyOf(std::uint32_t field) const { return m_keys[field]; }
  std::uint32_t find(const std::string& key) const;

 private:
  void addColumn(const engine::LayoutItems& items);
  std::uint32_t numberOf(const std::string& key);

  std::vector<std::vector<std::uint32_t>> m_fields;  // by column and item
  std::vector<std::vector<std::uint32_t>> m_items;   // by column and field
  std::vector<std::string> m_keys;                   // by field
  std::unordered_map<std::string, std::uint32_t> m_numbers;
};

}  // namespace heapscape::gui
