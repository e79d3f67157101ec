// SPDX-License-Identifier: MIT
#include "values/reading/slot_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/unicode.h"
#include "heap/object_head.h"
#include "runtime/types/method_tables.h"
#include "values/array_shape.h"
#include "values/code_address.h"
#include "values/primitive_values.h"
#include "values/reading/known_objects.h"
#include "values/reading/known_values.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kFieldsInShort = 4;
constexpr std::size_t kTextInShort = 200;
constexpr std::size_t kMaximumRepeats = 1000;  // elements of an inline array that are shown
constexpr std::size_t kPartsInText = 32;       // of a structure that is only told as part of a text
constexpr std::size_t kInStructure = 2;        // references that count as followed inside of a structure
constexpr std::size_t kFar = 100;              // no object is read that far away
constexpr std::string_view kOption = "Microsoft.FSharp.Core.FSharpOption<";  // its None is null
constexpr std::string_view kUnreadableText = "?";
constexpr const char* kMissing = "The dump does not hold these bytes.";

Value removed() {
  return {.isMissing = true, .damage = "Left out of this copy of a dump."};
}

constexpr const char* kTypeUnknown = "The type of this value is not known.";
constexpr const char* kTooMuch = "This value has more parts than any real one; the rest is left out.";

bool isMissing(const FieldValue& field) {
  return field.value.isMissing;
}

}  // namespace

FieldValue SlotReader::readAt(const Slot& slot, Address at, std::uint64_t offset, std::size_t depth) {
  FieldValue field;
  field.typeName = slot.typeName;
  field.address = at;
  field.offset = offset;
  field.sizeBytes = slot.sizeBytes;
  if (m_left > 0) --m_left;
  if (slot.kind != Slot::Kind::ValueType) {
    field.value = readSimple(slot, at, depth, {});
    return field;
  }
  field.methodTable = slot.type;
  if (const TypeShape* shape = m_reader.shapes().find(slot.type)) {
    readValueType(field, *shape, depth);
  } else {
    field.value.damage = kTypeUnknown;
  }
  return field;
}

/// All but a value type.
Value SlotReader::readSimple(const Slot& slot, Address at, std::size_t depth, ValueExtent extent) const {
  if (slot.kind == Slot::Kind::Primitive) return readPrimitive(slot.element, at);
  if (slot.kind == Slot::Kind::Pointer) return readPointer(at);
  if (slot.kind == Slot::Kind::TypedReference) return readTypedReference(at);
  if (slot.kind != Slot::Kind::Reference) return {.damage = kTypeUnknown};
  Value value = readReferenceAt(at, depth, extent);
  if (value.kind == ValueKind::Null && slot.typeName.starts_with(kOption)) value.text = "None";
  return value;
}

bool SlotReader::addText(const Slot& slot, Address at, std::string& text, std::size_t shown) {
  Value value;
  if (slot.kind == Slot::Kind::ValueType) {
    value = readAt(slot, at, 0, 0).value;
  } else {
    if (m_left > 0) --m_left;
    value = readSimple(slot, at, 0, {.isWhole = false, .textBytes = shown});
  }
  text += value.kind == ValueKind::Damaged ? kUnreadableText : value.text;
  return value.isString;
}

Value SlotReader::readPrimitive(ElementType element, Address at) const {
  std::uint64_t bits = 0;
  const std::uint32_t size = primitiveSize(element);
  if (!size || size > sizeof bits) return {.damage = kTypeUnknown};
  if (!m_reader.tryRead(at, std::as_writable_bytes(std::span(&bits, 1)).first(size)))
    return {.isMissing = true, .damage = kMissing};
  const bool isNative = element == ElementType::I || element == ElementType::U;
  const bool isBoolean = element == ElementType::Boolean;
  // Of what may be an address a copy keeps those, and the rest is zero.
  if ((!isNative || !bits) && !holdsContents(isBoolean ? kKeptBooleans : nullptr)) return removed();
  return isNative ? pointerValue(m_reader, Address{bits}) : primitiveValue(element, bits);
}

/// Whether the dump holds values of fields; of a redacted copy those of one kind may have been kept by choice.
bool SlotReader::holdsContents(const char* choice) const {
  const Redaction* redaction = m_reader.sources().readers.runtime.memory().redaction();
  return !redaction || redaction->hasContents || (choice && redaction->keeps(choice));
}

// Targets of structures are shown in short, or a text could lead through every object there is.
Value SlotReader::readReferenceAt(Address at, std::size_t depth, ValueExtent extent) const {
  Address object;
  if (!m_reader.tryRead(at, object)) return {.isMissing = true, .damage = kMissing};
  const std::size_t references = depth == 0 ? m_references : m_references == 0 ? kInStructure : kFar;
  return referenceValue(m_reader, object, references, extent);
}

Value SlotReader::readPointer(Address at) const {
  Address target;
  if (!m_reader.tryRead(at, target)) return {.isMissing = true, .damage = kMissing};
  if (!target && !holdsContents()) return removed();
  if (!target) return {.kind = ValueKind::Null, .text = "null"};
  return pointerValue(m_reader, target);
}

// TypedByRef of src/coreclr/vm/object.h: where the value lies, then its type handle.
Value SlotReader::readTypedReference(Address at) const {
  Address type;
  Value value = readPointer(at);
  if (value.kind != ValueKind::Pointer) return value;
  value.text = codeAddressOf(value).address;
  value.pointed = PointedKind::Nothing;
  if (!m_reader.tryRead(at + 8, type)) return {.isMissing = true, .damage = kMissing};
  if (type) value.text += " to " + m_reader.sources().readers.names.nameOf(type);
  return value;
}

void SlotReader::readValueType(FieldValue& field, const TypeShape& shape, std::size_t depth) {
  if (shape.kind == TypeShape::Kind::Primitive) {
    field.value = readPrimitive(shape.element, field.address);
    return;
  }
  if (shape.kind == TypeShape::Kind::Enum) {
    std::uint64_t bits = 0;
    const auto bytes = std::as_writable_bytes(std::span(&bits, 1)).first(std::min<std::size_t>(shape.sizeBytes, 8));
    field.value = {.isMissing = true, .damage = kMissing};
    if (!holdsContents(kKeptEnums))
      field.value = removed();
    else if (m_reader.tryRead(field.address, bytes))
      field.value = {.kind = ValueKind::Enum, .text = enumText(shape.enumNames, shape.element, bits)};
    return;
  }
  if (!shape.damage.empty()) {
    field.value.damage = shape.damage;
    return;
  }
  if (depth >= kLimits.nestingDepth || m_left == 0) {
    field.value.damage = kTooMuch;
    return;
  }
  field.nested = shape.repeat > 1 ? readRepeated(shape, field.address, field.offset, depth + 1)
                                  : readFields(shape, field.address, field.offset, depth + 1);
  if (shape.kind == TypeShape::Kind::Nullable) {
    field.value = readNullable(shape, field);
  } else if (!holdsContents() && std::ranges::any_of(field.nested, isMissing)) {
    field.value = removed();
  } else if (auto known = readKnownValue(m_reader, shape, field, m_references)) {
    field.value = std::move(*known);
  } else {
    field.value = structValue(field.nested);
  }
  if (field.value.kind == ValueKind::Damaged && std::ranges::any_of(field.nested, isMissing))
    field.value.isMissing = true;
  const std::size_t parts = partsOf(shape);
  if (field.nested.size() < parts) field.value.damage = kTooMuch;
  if (shape.repeat > 1 && parts < shape.repeat)
    field.value.text = fmt::format("the first {} of {}", parts, shape.repeat);
}

Value SlotReader::readNullable(const TypeShape& shape, const FieldValue& field) const {
  const FieldShape* flag = shape.field("hasValue");
  const auto held = std::ranges::find(field.nested, "value", &FieldValue::name);
  std::uint8_t hasValue = 0;
  if (!flag || held == field.nested.end()) return {.damage = kTypeUnknown};
  if (!m_reader.tryRead(field.address + flag->offset, hasValue)) return {.isMissing = true, .damage = kMissing};
  if (!holdsContents(kKeptBooleans)) return removed();
  if (!hasValue) return {.kind = ValueKind::Null, .text = "null"};
  Value value = held->value;
  if (value.kind != ValueKind::Damaged) value.kind = ValueKind::Known;
  return value;
}

/// How many fields or elements are read; for a text about something else few.
std::size_t SlotReader::partsOf(const TypeShape& shape) const {
  const std::size_t parts =
      shape.repeat > 1 ? std::min<std::size_t>(shape.repeat, kMaximumRepeats) : shape.fields.size();
  return m_references ? std::min(parts, kPartsInText) : parts;
}

std::vector<FieldValue> SlotReader::readFields(const TypeShape& shape, Address start, std::uint64_t startOffset,
                                               std::size_t depth) {
  std::vector<FieldValue> fields;
  for (const FieldShape& field : shape.fields) {
    if (m_left == 0 || fields.size() == partsOf(shape)) break;
    fields.push_back(readAt(field.slot, start + field.offset, startOffset + field.offset, depth));
    fields.back().name = field.name;
    fields.back().declaringType = shape.name;
  }
  return fields;
}

std::vector<FieldValue> SlotReader::readRepeated(const TypeShape& shape, Address start, std::uint64_t startOffset,
                                                 std::size_t depth) {
  std::vector<FieldValue> elements;
  const Slot& slot = shape.fields.front().slot;
  const std::size_t count = partsOf(shape);
  for (std::size_t i = 0; i < count && m_left > 0; ++i) {
    const std::uint64_t from = i * slot.sizeBytes;
    elements.push_back(readAt(slot, start + from, startOffset + from, depth));
    elements.back().name = fmt::format("[{}]", i);
    elements.back().value.isString |= elements.back().value.kind == ValueKind::Character;
  }
  return elements;
}

Value pointerValue(const ValueReader& reader, Address address) {
  PointedThing thing = reader.pointedThings().at(address);
  Value value{.kind = ValueKind::Pointer, .text = toString(address), .pointed = thing.kind, .target = thing.object};
  if (thing.kind != PointedKind::Nothing) value.text += " " + thing.text;
  return value;
}

Value structValue(const std::vector<FieldValue>& fields) {
  Value value{.kind = ValueKind::Struct};
  if (fields.empty()) return value;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i == kFieldsInShort || value.text.size() > kTextInShort) {
      value.text += ", …";
      break;
    }
    const FieldValue& field = fields[i];
    const bool isElement = field.name.starts_with('[');
    const std::string& text = field.value.kind == ValueKind::Damaged ? "?" : field.value.text;
    value.text += fmt::format("{}{}{}{}", i ? ", " : "", isElement ? "" : field.name, isElement ? "" : " = ", text);
    value.isString |= field.value.isString;
  }
  value.text = "{ " + value.text + " }";
  return value;
}

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

void describeString(const ValueReader& reader, ValueExtent extent, Value& value) {
  const ClrRuntime& runtime = reader.sources().readers.runtime;
  value.isString = true;
  const auto length = runtime.valueAt<std::uint32_t>(value.object, "String", "m_StringLength");
  const Address characters = runtime.member(value.object, "String", "m_FirstChar");
  if (!length) {
    value.damage = "The dump does not hold this string's length.";
    return;
  }
  const std::size_t most = std::min(reader.sources().previewUnits, extent.textBytes);
  std::u16string text(std::min<std::size_t>(*length, most), u'\0');
  if (!runtime.memory().tryRead(characters, std::as_writable_bytes(std::span(text)))) {
    value.damage = "The dump does not hold this string's characters.";
    return;
  }
  const char* const rest = text.size() < *length ? "…" : "";
  value.text = quotedText(text) + rest;
  if (extent.isWhole) value.characters = toUtf8(text) + rest;
}

/// Describes more than the type.
void describeContents(const ValueReader& reader, const TypeShape& shape, std::size_t references, std::size_t shown,
                      Value& value) {
  std::optional<Value> contents;
  if (shape.type.isValueType) {
    contents = SlotReader(reader, 1, references)
                   .read(reader.shapes().slotOf(shape.type.address), value.object + kFieldsStart, 0)
                   .value;
  } else {
    contents = readKnownObject(reader, value.object, references, shown);
  }
  if (!contents || contents->text.empty()) return;
  value.text = std::move(contents->text);
  value.isString = contents->isString;
}

}  // namespace

Value referenceValue(const ValueReader& reader, Address object, std::size_t references, ValueExtent extent) {
  if (!object) return {.kind = ValueKind::Null, .text = "null"};
  const RuntimeReaders& readers = reader.sources().readers;
  const TypeShapes& shapes = reader.shapes();
  const WalkedHeap* heap = reader.sources().heap;
  if (heap && heap->index.idOf(object).isNone()) return damaged(object, whyNoObject(readers, object));
  Address methodTable;
  if (!readers.runtime.memory().tryRead(object, methodTable)) return damaged(object, "The object is not in the dump.");
  methodTable.value &= kMethodTableMask;
  const TypeShape* shape = shapes.find(methodTable);
  if (!shape) {
    // The free object's type has no EEClass, unlike any other.
    const bool isFree = readers.runtime.globalPointer("FreeObjectMethodTable").value_or(Address{}) == methodTable;
    return damaged(object, isFree ? "The object was collected: only free space is left of it."
                                  : "What lies at this address has no type.");
  }
  const MethodTable& type = shape->type;
  Value value{.kind = ValueKind::Reference, .object = object, .methodTable = methodTable};
  if (extent.isWhole) value.objectType = shape->name;
  if (methodTable == shapes.stringType()) {
    describeString(reader, extent, value);
  } else if (type.isArray) {
    const auto array = readArrayShape(readers, type, object);
    if (array) value.text = arrayText(*array);
    if (!array) value.damage = array.error().what;
  } else if (references < kMostReferences || (type.isValueType && !type.containsPointers)) {
    describeContents(reader, *shape, references + 1, extent.textBytes, value);
  }
  if (value.text.empty()) value.text = shape->name;
  return value;
}

}  // namespace heapscape::engine
