// SPDX-License-Identifier: MIT
#include "query/objects/key_numbers.h"

namespace heapscape::engine {

std::uint32_t KeyNumbers::add(const SortKey& key) {
  m_keys.push_back(key);
  return static_cast<std::uint32_t>(m_keys.size() - 1);
}

std::uint32_t KeyNumbers::numberOf(std::string_view text) {
  if (const std::uint32_t* const known = m_ofTexts.find(text)) return *known;
  const std::uint32_t number = add(m_maker.keyOf(text));
  m_ofTexts.keep(number);
  return number;
}

std::uint32_t KeyNumbers::numberOf(const QueryValue& value) {
  if (!value.flag && !value.number) return numberOf(value.text ? std::string_view(*value.text) : std::string_view());
  const SortKey key = m_maker.keyOf(value);
  const std::array<std::uint64_t, 2> parts{key.firstPart(), key.rest()};
  const auto* const bytes = reinterpret_cast<const char*>(parts.data());
  if (const std::uint32_t* const known = m_ofParts.find({bytes, sizeof parts})) return *known;
  const std::uint32_t number = add(key);
  m_ofParts.keep(number);
  return number;
}

}  // namespace heapscape::engine
