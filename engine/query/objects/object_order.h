// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "base/large_array.h"
#include "base/progress.h"
#include "base/result.h"
#include "query/objects/field_keys.h"
#include "query/objects/object_fields.h"
#include "query/objects/object_search.h"
#include "query/objects/object_values.h"

namespace heapscape::engine {

/// Puts objects in the order that a search wants. By notes made as they are found, so that none is looked at again.
class ObjectOrder {
 public:
  /// Refers to all of these.
  ObjectOrder(const ObjectFields& fields, const ValueReader& values, const ObjectSearch& search);

  /// Keys that were read of the memory of some objects in a row.
  class Notes {
    friend class ObjectOrder;
    FieldKeys::Maker* maker = nullptr;
    std::vector<std::uint32_t> numbers;  // of their keys, as FieldKeys has them
  };
  /// Begins the notes that the calling thread makes.
  Notes beginNotes();
  /// Notes the key of an object. From any thread; of each object once, in the order in which they are found.
  void note(const ObjectView& object, ObjectValues& values, Notes& notes);

  /// The first `search.limit` of all objects (ascending) that were noted. Only as many are sorted. `notes` in the order
  /// of objects. All of `progress` is theirs. Once.
  Outcome<std::vector<std::uint32_t>> first(const std::vector<std::uint32_t>& ids, std::span<Notes> notes,
                                            StageProgress& progress, const std::stop_token& stop);

 private:
  enum class By : std::uint8_t { Address, Number, Size, Memory };

  std::uint64_t numberFor(std::optional<std::uint64_t> number) const;
  std::optional<std::uint64_t> numberOf(const ObjectView& object, ObjectValues& values) const;
  std::vector<std::uint32_t> sortedByAddress(const std::vector<std::uint32_t>& ids) const;
  std::vector<std::uint32_t> sortedByNumber(const std::vector<std::uint32_t>& ids, StageProgress& progress,
                                            const std::stop_token& stop);
  std::vector<std::uint32_t> sortedByMemory(const std::vector<std::uint32_t>& ids, std::span<Notes> notes,
                                            StageProgress& progress, const std::stop_token& stop);

  const ObjectFields& m_fields;
  const ObjectSearch& m_search;
  By m_by = By::Address;
  ObjectField m_field = ObjectField::Address;
  ObjectFieldForm m_form = ObjectFieldForm::Number;
  std::vector<std::uint64_t> m_ranks;   // of symbols; empty where they are in order
  LargeArray<std::uint64_t> m_numbers;  // by ObjectId
  std::optional<FieldKeys> m_keys;      // where memory is read
};

}  // namespace heapscape::engine
