// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/objects/collection_sizes.h"
#include "query/objects/field_path.h"
#include "query/objects/object_fields.h"
#include "query/objects/recent_answers.h"
#include "query/query.h"
#include "query/query_value.h"
#include "values/instance.h"
#include "values/lines/line_keys.h"
#include "values/lines/line_screen.h"
#include "values/lines/object_line.h"

namespace heapscape::engine {

/// Reads the fields of objects, those of their memory, too. For one thread: what it learns of types it keeps.
class ObjectValues {
 public:
  /// `shared` reads shapes of types once for all threads.
  ObjectValues(const ObjectFields& fields, const ValueReader& shared);

  QueryValue value(const QueryFieldReference& reference, const ObjectView& object);
  /// The text of the field Value, without a copy; nothing where that has none. Good until the next one is asked for.
  std::optional<std::string_view> lineOf(const ObjectView& object);
  /// The first characters of a string, if these are ASCII and can be read: quicker than its value. Good until the next
  /// ones are asked for.
  std::optional<std::string_view> beginOfText(const ObjectView& object, std::size_t most);
  /// The UTF-16 of a string as it lies in the dump, for as long as the fields are there; empty if the dump does not
  /// hold it, and of all else.
  std::string_view charactersAt(const ObjectView& object) const;
  /// A key of the memory that the value of a field follows from, which is quicker to read: of millions of objects many
  /// are alike. Empty where nothing tells. Good until the next one is asked for.
  std::string_view originOf(const QueryFieldReference& reference, const ObjectView& object);
  /// The fields Count and Capacity: nothing where they are absent or cannot be read.
  std::optional<std::uint64_t> sizeOf(ObjectField field, const ObjectView& object);
  /// Whether a comparison of a field of form Memory holds for an object; counts values that cannot be read.
  bool holds(const QueryComparison& comparison, const ObjectView& object, std::uint64_t& unreadable);
  /// Whether objects of a type can have a field of form Memory at all.
  bool isPossible(const QueryFieldReference& reference, TypeId type);

 private:
  CollectionType& collectionType(TypeId type);
  /// Sources of Count and Capacity of any object.
  const CollectionSizes& sizesOf(const ObjectView& object);
  /// State of a comparison of texts or values.
  struct Compared {
    struct Answer {
      bool isAccepted = false, isUnreadable = false;
    };
    std::unique_ptr<LineScreen> screen = {};  // null if it looks for no word
    RecentAnswers<Answer> answers = {};
    RecurringTypes recurring = {};
  };
  Compared& compared(const QueryComparison& comparison);
  bool holdsText(const QueryComparison& comparison, const ObjectView& object, std::uint64_t& unreadable);
  /// Whether the field Value of a string holds; it means its characters unless the comparison looks into the line.
  bool holdsString(const QueryComparison& comparison, const ObjectView& string, std::uint64_t& unreadable);
  Compared::Answer answerOf(const QueryComparison& comparison, const ObjectView& object);
  Bytes bytesOf(const ObjectView& object) const {
    return m_fields.segments()[object.segment.value].bytesOf(object.facts);
  }
  FieldPathReader& pathReader(const std::string& path);
  Address methodTableOf(TypeId type) const { return m_fields.contents().heap->types.methodTable(type); }

  const ObjectFields& m_fields;
  const ValueReader& m_values;
  const InstanceSources m_sources;
  Bytes charactersOf(const ObjectView& string) const;

  TypeId m_stringType;
  std::uint64_t m_charactersOffset = 0;                          // in a string
  std::vector<std::optional<CollectionType>> m_collectionTypes;  // by TypeId, once it was asked
  ObjectLines m_lines;
  std::optional<LineKeys> m_lineKeys;  // from the first one on
  std::map<const QueryComparison*, Compared> m_compared;
  std::map<std::string, FieldPathReader> m_paths;
  std::pair<const std::string, FieldPathReader>* m_lastPath = nullptr;  // that was read: mostly one is, over and over
  Address m_sizedObject;  // whose sizes these are: count and capacity are mostly asked together
  CollectionSizes m_sizes;
  std::string m_utf8;  // room for one string after the other
};

}  // namespace heapscape::engine
