// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/edge.h"
#include "session/async/suspended_methods.h"
#include "session/snapshot/contents.h"
#include "session/snapshot/snapshot.h"
#include "values/reading/value_reader.h"
#include "values/written_fields.h"

namespace heapscape::engine {

/// Where in an object a reference is.
struct EdgePlace {
  std::string element;                // "[3]" in an array, else empty
  std::vector<FieldPathPart> fields;  // of the object, or of the element
};

/// Names the fields and elements that references are in; keeps what it learns, so that one for a whole question is
/// quicker than many. For one thread.
class EdgeNames {
 public:
  explicit EdgeNames(const Contents& contents);

  EdgePlace placeOf(const Edge& edge, Address methodTable);
  /// `methodTable`: of the object that refers. "Customer", "Total.Currency", "[3]", "[3].Key", "(dependent handle)",
  /// "(loader allocator)"; "+24" where nothing is known of the place. With names as in C#, but for what that would
  /// hide. Of what an async method keeps that the runtime itself has suspended "local order of
  /// Shop.Orders.PlaceAsync, at await 1".
  std::string nameOf(const Edge& edge, Address methodTable);

  const ValueReader& values() const { return m_values; }

 private:
  const std::vector<FieldPathPart>& fieldsAt(const TypeShape& type, std::uint64_t offset);
  std::string nameOfSaved(const Edge& edge);
  void findElement(Address array, const MethodTable& type, std::uint64_t offset, EdgePlace& place);

  const Contents& m_contents;
  ValueReader m_values;
  std::unordered_map<const TypeShape*, std::unordered_map<std::uint64_t, std::vector<FieldPathPart>>> m_fields;
  SuspendedMethods m_methods;
  SuspendedLocals m_locals;
};

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
