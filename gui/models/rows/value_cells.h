// SPDX-License-Identifier: MIT
#pragma once

#include <QVariant>
#include <cstdint>
#include <unordered_map>

#include "base/address.h"
#include "query/query_value.h"

namespace heapscape::gui {

/// What a tree's column "Value" says of the objects that its rows are about: what a string holds, of a collection the
/// count and the first items, of a record its first fields.
class ValueCells {
 public:
  bool has(engine::Address object) const { return m_values.contains(object.value); }
  void add(engine::Address object, engine::QueryValue value) { m_values[object.value] = std::move(value); }
  void clear() { m_values.clear(); }

  /// Nothing for no object, and as long as its value was not read.
  QVariant data(engine::Address object, int role) const;
  /// Of the column's heading.
  static QVariant headerData(int role);

 private:
  std::unordered_map<std::uint64_t, engine::QueryValue> m_values;  // by address
};

}  // namespace heapscape::gui
