// SPDX-License-Identifier: MIT
#include "values/reference_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/unicode.h"
#include "heap/object_head.h"
#include "runtime/types/method_tables.h"
#include "values/array_shape.h"
#include "values/known/known_objects.h"
#include "values/quoted_text.h"
#include "values/slot_reader.h"

namespace heapscape::engine {
namespace {

// A record in an option in a record is told whole; what runs in a circle, or is very deep, is not.
constexpr std::size_t kMostReferences = 4;

Value damaged(Address object, std::string why) {
  Value value;
  value.text = toString(object);
  value.object = object;
  value.damage = std::move(why);
  return value;
}

// The walk leaves out what cannot be an object as a whole, as a string whose length reaches beyond its segment.
std::string whyNoObject(const RuntimeReaders& readers, Address object) {
  Address methodTable;
  const bool hasType = object.value % 8 == 0 && readers.runtime.memory().tryRead(object, methodTable) &&
                       readers.methodTables.isMethodTable({methodTable.value & kMethodTableMask});
  if (!hasType) return "No object begins at this address.";
  return fmt::format("What begins at this address has the type {}, but is no whole object.",
                     readers.names.nameOf({methodTable.value & kMethodTableMask}));
}

void describeString(const ValueReader& reader, Value& value) {
  const ClrRuntime& runtime = reader.sources().readers.runtime;
  value.isString = true;
  const auto length = runtime.valueAt<std::uint32_t>(value.object, "String", "m_StringLength");
  const Address characters = runtime.member(value.object, "String", "m_FirstChar");
  if (!length) {
    value.damage = "The dump does not hold this string's length.";
    return;
  }
  std::u16string text(std::min<std::size_t>(*length, reader.sources().previewUnits), u'\0');
  if (!runtime.memory().tryRead(characters, std::as_writable_bytes(std::span(text)))) {
    value.damage = "The dump does not hold this string's characters.";
    return;
  }
  const char* const rest = text.size() < *length ? "…" : "";
  value.text = quotedText(text) + rest;
  value.characters = toUtf8(text) + rest;
}

/// What there is to say beyond the type.
void describeContents(const ValueReader& reader, const MethodTable& type, std::size_t references, Value& value) {
  std::optional<Value> contents;
  if (type.isValueType) {
    contents = SlotReader(reader, 1, references)
                   .read(reader.shapes().slotOf(type.address), value.object + kFieldsStart, 0)
                   .value;
  } else {
    contents = readKnownObject(reader, value.object, references);
  }
  if (!contents || contents->text.empty()) return;
  value.text = std::move(contents->text);
  value.isString = contents->isString;
}

}  // namespace

Value referenceValue(const ValueReader& reader, Address object, std::size_t references) {
  if (!object) return {.kind = ValueKind::Null, .text = "null"};
  const RuntimeReaders& readers = reader.sources().readers;
  const WalkedHeap* heap = reader.sources().heap;
  if (heap && heap->index.idOf(object).isNone()) return damaged(object, whyNoObject(readers, object));
  Address methodTable;
  if (!readers.runtime.memory().tryRead(object, methodTable)) return damaged(object, "The object is not in the dump.");
  methodTable.value &= kMethodTableMask;
  const auto type = readers.methodTables.read(methodTable);
  if (!type) {
    // The free object's type has no EEClass, unlike any other.
    const bool isFree = readers.runtime.globalPointer("FreeObjectMethodTable").value_or(Address{}) == methodTable;
    return damaged(object, isFree ? "The object was collected: only free space is left of it."
                                  : "What lies at this address has no type.");
  }
  Value value{.kind = ValueKind::Reference, .object = object, .methodTable = methodTable};
  value.objectType = readers.names.nameOf(methodTable);
  value.text = value.objectType;
  if (methodTable == readers.runtime.globalPointer("StringMethodTable").value_or(Address{})) {
    describeString(reader, value);
  } else if (type->isArray) {
    const auto array = readArrayShape(readers, *type, object);
    if (array) value.text = arrayText(*array);
    if (!array) value.damage = array.error().what;
  } else if (references < kMostReferences || (type->isValueType && !type->containsPointers)) {
    describeContents(reader, *type, references + 1, value);
  }
  return value;
}

}  // namespace heapscape::engine
