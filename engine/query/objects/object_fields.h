// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/large_array.h"
#include "base/progress.h"
#include "base/result.h"
#include "graph/reverse_references.h"
#include "heap/segment_objects.h"
#include "query/objects/object_schema.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

/// One object as the fields of a query see it.
struct ObjectView {
  std::uint32_t id = 0;  // ObjectId
  ObjectFacts facts = {};
  SegmentId segment = {};
  Generation generation = Generation::Gen0;
};

/// How a field of objects is read.
enum class ObjectFieldForm : std::uint8_t {
  Symbol,  // one of few texts, by number
  Number,  // from arrays that are there, or from the object's head
  Flag,
  Memory,  // the object's own memory has to be read: see object_values.h
};
ObjectFieldForm formOf(const QueryFieldReference& reference);
/// Known from the stage Retained on.
bool needsRetained(ObjectField field);

/// What the fields of objects hold that are no memory of theirs. Safe from any thread; refers to the snapshot.
class ObjectFields {
 public:
  static constexpr std::uint32_t kNoSymbol = 0xffffffff;

  /// Makes ready what these fields need. Fails with BadQuery for one that needs a stage which is not there.
  /// `sets`: what the field of that name asks for; null for none.
  static Outcome<ObjectFields> make(const Snapshot& snapshot, std::span<const QueryFieldReference> fields,
                                    ProgressSink* progress, std::stop_token stop,
                                    std::shared_ptr<const ObjectSets> sets = {});

  const Snapshot& snapshot() const { return m_snapshot; }
  const Contents& contents() const { return m_snapshot.contents(); }
  const std::vector<SegmentObjects>& segments() const { return m_segments; }
  /// kNoSymbol for null.
  std::uint32_t symbol(ObjectField field, const ObjectView& object) const;
  /// All that a field may be; several may be the same text.
  const std::vector<std::string>& symbols(ObjectField field) const {
    return m_symbols[static_cast<std::size_t>(field)];
  }
  /// Of a field that follows from the type alone.
  std::uint32_t symbolOfType(ObjectField field, TypeId type) const;
  /// Nothing for an object that has no such number.
  std::optional<std::uint64_t> number(ObjectField field, const ObjectView& object) const;
  bool flag(ObjectField field, const ObjectView& object) const;
  /// Of the sets that an object belongs to, as many as there are.
  std::vector<std::string_view> setsOf(const ObjectView& object) const;

 private:
  explicit ObjectFields(const Snapshot& snapshot);
  bool isAsked(std::span<const QueryFieldReference> fields, ObjectField field) const;
  Outcome<void> findPinned(std::stop_token stop);
  void nameTypes(ObjectField field);
  void findOwners();
  std::uint32_t numberOf(const ObjectView& object) const;

  const Snapshot m_snapshot;
  std::vector<SegmentObjects> m_segments;
  std::vector<std::vector<std::string>> m_symbols;        // by ObjectField
  std::vector<std::vector<std::uint32_t>> m_typeSymbols;  // by ObjectField, then TypeId; empty where that is the TypeId
  std::shared_ptr<const ObjectTypes> m_types;             // for who holds whom
  LargeArray<std::uint32_t> m_owners;                     // symbol by number in the dominator tree
  std::vector<bool> m_isPinned;                           // by ObjectId
  std::shared_ptr<const ReverseReferences> m_reverse;
  std::shared_ptr<const ObjectSets> m_sets;
};

}  // namespace heapscape::engine
