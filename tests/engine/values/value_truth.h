// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "session/details/object_details.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::test {

/// Holds objects against what ClrMD read of them (`samples` of the details).
class ValueTruth {
 public:
  explicit ValueTruth(const engine::Snapshot& snapshot) : m_snapshot(snapshot) {}

  void compare(const nlohmann::json& sample);

  /// Values that were equal, and what differed, a line each.
  std::size_t equalValues() const { return m_equal; }
  const std::vector<std::string>& differences() const { return m_differences; }

 private:
  using Fields = std::vector<engine::FieldValue>;

  void compareArray(const nlohmann::json& sample, const engine::ObjectDetails& details);
  void compareFields(const nlohmann::json& expected, const Fields& fields, std::uint64_t start,
                     const std::string& where);
  void compareValue(const nlohmann::json& expected, const engine::FieldValue& field, const std::string& where);
  void compareReference(const nlohmann::json& expected, const engine::Value& value, const std::string& where);
  void compareText(const nlohmann::json& expected, const engine::FieldValue& field, const std::string& where);
  void check(bool isEqual, const std::string& where, const std::string& expected, const std::string& actual);

  const engine::Snapshot& m_snapshot;
  std::size_t m_equal = 0;
  std::vector<std::string> m_differences;
};

}  // namespace heapscape::test
