// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/result.h"
#include "heap/object_header.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "session/threads/local_values.h"
#include "session/threads/locks_query.h"
#include "values/reading/array_details.h"
#include "values/reading/collection_reader.h"
#include "values/reading/delegate_details.h"
#include "values/reading/exception_details.h"
#include "values/string_details.h"
#include "values/value.h"

namespace heapscape::engine {

struct BoxedDetails {
  std::uint32_t valueOffset = 8;  // from the object's address
  std::uint32_t valueSize = 0;
  Value value;
};

/// Where an async method goes on that the runtime itself has suspended; of its continuation.
struct SuspendedDetails {
  std::string method;      // "Shop.Orders.PlaceAsync"
  std::int32_t await = 0;  // number of the await at which it waits, from 0 on
  std::optional<std::uint32_t> ilOffset = {};
  std::string file = {};  // of the source, as the PDB has it; empty if not known
  std::uint32_t line = 0;
  std::string missing = {};  // why not all of it is told; empty if it is
};

/// Everything about one object.
struct ObjectDetails {
  ObjectRow row;
  std::string typeName;
  std::string assembly;
  Address methodTable;
  Address segmentAddress;
  bool isFree = false;
  std::optional<RetainedRow> retained = {};  // known from the Retained stage on
  std::optional<ObjectHeader> header;        // nothing if the dump does not hold it
  std::string headerThread;                  // a thin lock's owner: "thread 5 \"worker\""
  std::optional<LockRow> lock;               // thin lock or sync block
  /// Base-most type first, by offset in each; none for arrays and strings. Those of a continuation are followed by the
  /// locals that it keeps, which the method declares.
  std::vector<FieldValue> fields;
  std::optional<SuspendedDetails> suspended;
  std::optional<StringDetails> string;
  std::optional<ArrayDetails> array;
  std::optional<BoxedDetails> boxed;
  std::vector<DelegateTarget> delegate;       // several for a multicast delegate; empty for everything else
  std::optional<ExceptionDetails> exception;  // with what caused it
  std::optional<CollectionDetails> collection;
  std::vector<LocalValueRow> localValues;  // of a ThreadLocal or an AsyncLocal
  std::vector<Finding> findings;           // damage met in this object
};

struct DetailLimits {
  std::size_t elements = 100;         // array elements and collection items in the first answer
  std::size_t stringUnits = 100'000;  // UTF-16 units of the object itself, if it is a string
  std::size_t preview = 200;          // UTF-16 units of strings that fields refer to
};

/// About the object that holds the address. Fails with NotFound if no object does.
Result<ObjectDetails> objectDetails(const Snapshot& snapshot, Address address, const DetailLimits& limits = {});

/// Elements [first, first + count) of an array of any rank, in memory order. Fails with NotFound or Damaged.
Result<std::vector<FieldValue>> arrayElements(const Snapshot& snapshot, Address array, std::uint64_t first,
                                              std::size_t count);

/// Items [first, first + count) of a collection in its own order. Fails with NotFound if the object is none.
Outcome<std::vector<CollectionItem>> collectionItems(const Snapshot& snapshot, Address collection, std::uint64_t first,
                                                     std::size_t count, std::stop_token stop = {});

/// The value of a type at an address that need not be an object: an element, a field, a static. Nested as fields are.
Result<FieldValue> valueAt(const Snapshot& snapshot, Address methodTable, Address address);

/// Owner of some bytes of an object.
enum class ByteOwner : std::uint8_t {
  Alignment,
  Header,
  MethodTable,
  Length,
  Bounds,
  Field,
  Element,
  Terminator,
  Padding,
  Missing
};

template <>
inline constexpr auto kEnumNames<ByteOwner> = std::to_array<EnumName<ByteOwner>>({{ByteOwner::Alignment, "alignment"},
                                                                                  {ByteOwner::Header, "header"},
                                                                                  {ByteOwner::MethodTable,
                                                                                   "methodTable"},
                                                                                  {ByteOwner::Length, "length"},
                                                                                  {ByteOwner::Bounds, "bounds"},
                                                                                  {ByteOwner::Field, "field"},
                                                                                  {ByteOwner::Element, "element"},
                                                                                  {ByteOwner::Terminator, "terminator"},
                                                                                  {ByteOwner::Padding, "padding"},
                                                                                  {ByteOwner::Missing, "missing"}});

struct ByteRun {
  ByteOwner owner = ByteOwner::Padding;
  std::int64_t offset = 0;  // from the object's address; alignment and header lie before it
  std::uint32_t sizeBytes = 0;
  std::string name;      // "Customer", "Total.m_lo", "[3]", "header"
  std::string typeName;  // of a field or element
};

/// Bytes of an object from its address − 8 on, with what each belongs to.
struct ObjectBytes {
  Address object;
  std::uint64_t totalBytes = 0;  // with the 8 before the address
  std::uint64_t skipped = 0;     // bytes before those shown
  std::vector<std::uint8_t> bytes;
  std::vector<ByteRun> runs;  // cover the bytes shown, in order; leaf fields, not the structs around them
};

/// `skip` bytes from the object's address − 8 on, at most `limit` of them. Fails with NotFound.
Result<ObjectBytes> objectBytes(const Snapshot& snapshot, Address object, std::uint64_t skip, std::size_t limit);

}  // namespace heapscape::engine
