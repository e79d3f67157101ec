// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/field_matches.h"

#include <fmt/format.h>

namespace heapscape::gui {

using engine::LayoutItem;
using engine::LayoutItems;
using engine::LayoutPart;

namespace {

std::string nameOf(const LayoutItem& item, std::size_t column, std::uint32_t number) {
  switch (item.part) {
    case LayoutPart::Padding:
      return fmt::format("padding {} {}", column, number);
    case LayoutPart::Header:
      return "header";
    case LayoutPart::MethodTable:
      return "method table";
    case LayoutPart::Unused:
      return "unused";
    case LayoutPart::Repeated:
      return "repeated " + item.declaringType;
    case LayoutPart::Field:
    case LayoutPart::Element:
      break;
  }
  return item.declaringType + "::" + item.name;
}

}  // namespace

FieldMatches::FieldMatches(const std::vector<const LayoutItems*>& columns) {
  for (const LayoutItems* items : columns) addColumn(*items);
  for (std::size_t column = 0; column < columns.size(); ++column) {
    m_items.emplace_back(m_keys.size(), LayoutItem::kNoItem);
    for (std::uint32_t item = 0; item < m_fields[column].size(); ++item) m_items[column][m_fields[column][item]] = item;
  }
}

void FieldMatches::addColumn(const LayoutItems& items) {
  const std::size_t column = m_fields.size();
  std::vector<std::uint32_t> fields;
  std::unordered_map<std::string, std::uint32_t> seen;  // the same name twice is told apart by its turn
  fields.reserve(items.items.size());
  for (std::uint32_t number = 0; number < items.items.size(); ++number) {
    const LayoutItem& item = items[number];
    // Parents come before their children.
    const std::string holder = item.parent == LayoutItem::kNoItem ? std::string() : m_keys[fields[item.parent]];
    const std::string key = holder + '/' + nameOf(item, column, number);
    const std::uint32_t turn = seen[key]++;
    fields.push_back(numberOf(turn == 0 ? key : fmt::format("{} #{}", key, turn)));
  }
  m_fields.push_back(std::move(fields));
}

std::uint32_t FieldMatches::numberOf(const std::string& key) {
  const auto [entry, isNew] = m_numbers.try_emplace(key, count());
  if (isNew) m_keys.push_back(key);
  return entry->second;
}

std::uint32_t FieldMatches::itemOf(std::size_t column, std::uint32_t field) const {
  return column < m_items.size() && field < m_items[column].size() ? m_items[column][field] : LayoutItem::kNoItem;
}

std::uint32_t FieldMatches::find(const std::string& key) const {
  const auto found = m_numbers.find(key);
  return found == m_numbers.end() ? kNone : found->second;
}

}  // namespace heapscape::gui
