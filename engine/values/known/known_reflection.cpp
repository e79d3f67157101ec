// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "runtime/managed_objects.h"
#include "values/known/known_object.h"
#include "values/known/known_value.h"
#include "values/pointed_things.h"
#include "values/reference_values.h"
#include "values/slot_reader.h"

// The names of fields are those of System.Private.CoreLib, the same from .NET 8 to 10 (RuntimeType.CoreCLR.cs,
// RuntimeHandles.cs, RuntimeMethodInfo.CoreCLR.cs …).

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostNameCharacters = 1000;  // of a member's name
constexpr std::uint64_t kHandleMarks = 7;          // GCHandle.cs: bit 0 of a pinned one; handles are aligned to 8

std::optional<Value> named(std::string name) {
  if (name.empty()) return std::nullopt;
  return Value{.kind = ValueKind::Known, .text = std::move(name)};
}

const PointedThings& thingsOf(const KnownObject& object) {
  return object.reader.pointedThings();
}

/// What an IntPtr holds, or the only field of a structure of the runtime's around one; 0 if it cannot be read.
Address handleIn(const Instance& instance, std::string_view field) {
  const auto place = instance.field(field);
  if (!place || place->shape->slot.sizeBytes != sizeof(Address)) return {};
  return instance.memory().readPointer(place->address).value_or(Address{});
}

/// The type that a field with a RuntimeType refers to; 0 if there is none.
TypeHandle typeIn(const Instance& instance, std::string_view field) {
  const auto type = instance.reference(field);
  if (!type || !*type) return {};
  const auto object = Instance::at(instance.sources(), *type);
  return object ? handleIn(*object, "m_handle") : Address{};
}

std::string textIn(const Instance& instance, std::string_view field) {
  const auto text = instance.reference(field);
  if (!text || !*text) return {};
  return readManagedString(instance.sources().readers.runtime, *text, kMostNameCharacters).value_or(std::string());
}

std::string memberText(const Instance& member, std::string_view nameField) {
  std::string name = textIn(member, nameField);
  const TypeHandle declaring = typeIn(member, "m_declaringType");
  if (!name.empty() && declaring) name = member.sources().readers.names.nameOf(declaring) + "." + name;
  return name;
}

}  // namespace

std::optional<Value> runtimeTypeValue(const KnownObject& object) {
  const TypeHandle type = handleIn(object.instance, "m_handle");
  return type ? named(object.instance.sources().readers.names.nameOf(type)) : std::nullopt;
}

std::optional<Value> methodInfoValue(const KnownObject& object) {
  Address method = handleIn(object.instance, "m_handle");
  if (!method) method = handleIn(object.instance, "m_value");
  return method ? named(thingsOf(object).methodName(method, typeIn(object.instance, "m_declaringType"))) : std::nullopt;
}

std::optional<Value> fieldInfoValue(const KnownObject& object) {
  const Address field = handleIn(object.instance, "m_fieldHandle");
  return field ? named(thingsOf(object).fieldName(field)) : std::nullopt;
}

std::optional<Value> memberInfoValue(const KnownObject& object) {
  return named(memberText(object.instance, "m_name"));
}

std::optional<Value> parameterInfoValue(const KnownObject& object) {
  const std::string name = textIn(object.instance, "NameImpl");
  const auto position = object.instance.number<std::int32_t>("PositionImpl");
  const auto member = object.read("MemberImpl");
  if (!position || !member || member->kind == ValueKind::Null) return named(name);
  const std::string which = *position < 0 ? std::string("return value") : fmt::format("parameter {}", *position);
  return named(fmt::format("{}{} of {}", name.empty() ? "" : name + ", ", which, member->text));
}

std::optional<Value> assemblyValue(const KnownObject& object) {
  const Module* module = thingsOf(object).moduleOf(handleIn(object.instance, "m_assembly"));
  const auto assembly = module && module->metadata ? module->metadata->assembly() : std::nullopt;
  if (!assembly) return module ? named(module->name) : std::nullopt;
  return named(fmt::format("{}, Version={}", assembly->name, fmt::join(assembly->version, ".")));
}

std::optional<Value> moduleValue(const KnownObject& object) {
  const Module* module = thingsOf(object).moduleOf(handleIn(object.instance, "m_pData"));
  return module ? named(module->name) : std::nullopt;
}

std::optional<Value> gcHandleValue(const KnownValue& value) {
  const auto handle = value.number<Address>("_handle");
  if (!handle) return std::nullopt;
  if (!*handle) return Value{.kind = ValueKind::Null, .text = "null"};
  const Address slot{handle->value & ~kHandleMarks};
  Value read{.kind = ValueKind::Pointer, .text = toString(slot)};
  if (const auto found = value.reader.pointedThings().handleAt(slot)) {
    read.pointed = PointedKind::Handle;
    read.target = found->object;
    read.text += " " + value.reader.pointedThings().handleText(*found);
  }
  return read;
}

// A structure around one object that says what it stands for: more than the type of it, wherever the structure is.
std::optional<std::string> onlyFieldText(const KnownValue& value) {
  if (value.shape.fields.size() != 1) return std::nullopt;
  const FieldShape& only = value.shape.fields.front();
  if (only.slot.kind != Slot::Kind::Reference) return value.text(only.name);
  const auto object = value.number<Address>(only.name);
  if (!object) return std::nullopt;
  Value held = referenceValue(value.reader, *object, value.references);
  return held.kind == ValueKind::Damaged ? std::nullopt : std::optional(std::move(held.text));
}

std::optional<std::string> methodHandleText(const KnownValue& value) {
  const auto method = value.number<Address>("m_handle");
  if (!method) return std::nullopt;
  if (!*method) return "null";
  std::string name = value.reader.pointedThings().methodName(*method, {});
  return name.empty() ? std::nullopt : std::optional(std::move(name));
}

std::optional<std::string> fieldHandleText(const KnownValue& value) {
  const auto field = value.number<Address>("m_handle");
  if (!field) return std::nullopt;
  if (!*field) return "null";
  std::string name = value.reader.pointedThings().fieldName(*field);
  return name.empty() ? std::nullopt : std::optional(std::move(name));
}

}  // namespace heapscape::engine
