// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "session/snapshot/snapshot.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {

/// To which ConditionalWeakTable a dependent handle belongs: the tables are looked through when the first one is met.
/// Needs the stage Retained. For one thread, and one question.
class WeakTables {
 public:
  WeakTables(const Snapshot& snapshot, const ValueReader& values) : m_snapshot(snapshot), m_values(values) {}

  /// "(dependent handle: ConditionalWeakTable Zoo.P.table[Zoo.Order])" of the entry with this key and value. Without
  /// the table where it is in none, as one that is no entry but a DependentHandle of somebody's own.
  std::string nameOf(Address key, Address value);

 private:
  void findTables();
  bool holds(Address table, Address key, Address value);
  std::string placeOf(Address table);
  std::string findPlace(Address table) const;

  const Snapshot& m_snapshot;
  const ValueReader& m_values;
  bool m_hasTables = false;
  std::vector<Address> m_tables;
  std::map<Address, std::set<std::pair<Address, Address>>> m_entries;  // of tables that were looked through
  std::map<Address, std::string> m_places;
};

}  // namespace heapscape::engine
