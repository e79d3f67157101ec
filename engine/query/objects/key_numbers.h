// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "query/objects/recent_answers.h"
#include "query/objects/sort_keys.h"

namespace heapscape::engine {

/// Numbers the keys that objects are sorted by, so that most are told by a number and few have to be put in order:
/// those that are equal mostly have the same one. For one thread.
class KeyNumbers {
 public:
  /// Of a value that is there.
  std::uint32_t numberOf(const QueryValue& value);
  std::uint32_t numberOf(std::string_view text);
  /// By number.
  const std::vector<SortKey>& keys() const { return m_keys; }

 private:
  std::uint32_t add(const SortKey& key);

  SortKeys m_maker;
  std::vector<SortKey> m_keys;
  RecentAnswers<std::uint32_t> m_ofTexts;
  RecentAnswers<std::uint32_t> m_ofParts;  // of keys that are no texts
};

}  // namespace heapscape::engine
