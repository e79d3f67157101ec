// SPDX-License-Identifier: MIT
#include "values/reading/known_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "base/unicode.h"
#include "runtime/managed_objects.h"
#include "values/instance.h"
#include "values/json_text.h"
#include "values/pointed_things.h"
#include "values/primitive_values.h"
#include "values/reading/fsharp_values.h"
#include "values/reading/known_values.h"
#include "values/reading/slot_reader.h"

// The names of fields are those of System.Private.CoreLib, the same from .NET 8 to 10 (RuntimeType.CoreCLR.cs,
// RuntimeHandles.cs, RuntimeMethodInfo.CoreCLR.cs …).

namespace heapscape::engine {
namespace {

constexpr std::size_t kGroups = 8;
using Groups = std::array<std::uint16_t, kGroups>;

std::string ipv4Text(std::uint32_t address) {
  return fmt::format("{}.{}.{}.{}", address & 0xff, address >> 8 & 0xff, address >> 16 & 0xff, address >> 24);
}

/// Whether the last two groups are written as an address of IPv4 (ShouldHaveIpv4Embedded in IPv6AddressHelper.cs).
bool holdsIpv4(const Groups& groups) {
  const bool beginsEmpty = groups[0] == 0 && groups[1] == 0 && groups[2] == 0 && groups[3] == 0;
  if (beginsEmpty && groups[6] != 0) {
    const bool isCompatible = groups[4] == 0 && (groups[5] == 0 || groups[5] == 0xffff);
    const bool isTranslated = groups[4] == 0xffff && groups[5] == 0;
    if (isCompatible || isTranslated) return true;
  }
  return groups[4] == 0 && groups[5] == 0x5efe;  // ISATAP
}

struct Run {
  std::size_t first = 0, length = 0;
};

/// The longest run of zeros, the first of equals; one alone is not left out (RFC 5952).
Run longestEmptyRun(const Groups& groups, std::size_t end) {
  Run longest;
  for (std::size_t i = 0; i < end;) {
    std::size_t length = 0;
    while (i + length < end && groups[i + length] == 0) ++length;
    if (length > longest.length) longest = {i, length};
    i += length + 1;
  }
  return longest.length > 1 ? longest : Run{};
}

std::string ipv6Text(const Groups& groups) {
  const bool isMixed = holdsIpv4(groups);
  const std::size_t end = isMixed ? kGroups - 2 : kGroups;
  const Run left = longestEmptyRun(groups, end);
  std::string text;
  for (std::size_t i = 0; i < end; ++i) {
    if (left.length && i == left.first) {
      text += "::";
      i += left.length - 1;
      continue;
    }
    if (!text.empty() && !text.ends_with(':')) text += ':';
    text += fmt::format("{:x}", groups[i]);
  }
  if (!isMixed) return text;
  if (!text.ends_with(':')) text += ':';
  return text + fmt::format("{}.{}.{}.{}", groups[6] >> 8, groups[6] & 0xff, groups[7] >> 8, groups[7] & 0xff);
}

}  // namespace

std::optional<Value> ipAddressValue(const KnownObject& object) {
  const auto number = object.instance.number<std::uint32_t>("_addressOrScopeId");
  const auto numbers = object.instance.reference("_numbers");
  if (!number || !numbers) return std::nullopt;
  if (!*numbers) return Value{.kind = ValueKind::Known, .text = ipv4Text(*number)};
  const auto array = readArray(object.instance, "_numbers");
  Groups groups{};
  if (!array || array->count != kGroups || array->elementSize != sizeof groups[0] ||
      !object.instance.memory().tryRead(array->data, std::as_writable_bytes(std::span(groups))))
    return std::nullopt;
  Value value{.kind = ValueKind::Known, .text = ipv6Text(groups)};
  if (*number) value.text += fmt::format("%{}", *number);
  return value;
}

namespace {

constexpr std::size_t kBytesOfUnit = 3;  // at most, in UTF-8

std::optional<Value> readable(Value value) {
  if (value.kind == ValueKind::Damaged) return std::nullopt;
  return value;
}

std::optional<std::string> textOf(const KnownObject& object, const ByteSlice& bytes) {
  const std::size_t most = object.reader.sources().previewUnits * kBytesOfUnit;
  std::string text(std::min<std::size_t>(bytes.count, most), '\0');
  if (!object.instance.memory().tryRead(bytes.first, std::as_writable_bytes(std::span(text)))) return std::nullopt;
  return text;
}

/// As JsonSerializer keeps what it has read: a number as it stood in the text, a string as UTF-8 without escapes.
std::optional<Value> readOfSerializer(const KnownObject& object) {
  const auto held = object.instance.inner("_value");
  if (!held) {
    const auto digits = readArray(object.instance, "_value");
    if (!digits || digits->elementSize != 1) return std::nullopt;
    const auto text = textOf(object, {digits->data, digits->count});
    return text ? std::optional(Value{.kind = ValueKind::Known, .text = *text}) : std::nullopt;
  }
  const auto bytes = byteSliceOf(*held);
  if (!bytes) return object.read("_value");
  auto text = textOf(object, *bytes);
  if (!text) return std::nullopt;
  const bool isCut = text->size() < bytes->count;
  auto units = toUtf16(*text);
  while (isCut && !units && !text->empty()) {
    text->pop_back();
    units = toUtf16(*text);
  }
  if (!units) return std::nullopt;
  return Value{.kind = ValueKind::Known, .text = quotedText(*units) + (isCut ? "…" : ""), .isString = true};
}

}  // namespace

std::optional<std::string> jsonElementText(const KnownValue& value) {
  const auto document = value.number<Address>("_parent");
  if (!document) return std::nullopt;
  if (!*document) return "undefined";
  const InstanceSources sources = value.reader.instances();
  const auto json = jsonPlaceOf(Instance(sources, value.shape, value.field.address));
  if (!json) return std::nullopt;
  const auto element = readable(json->text.valueAt(json->place, value.reader.sources().previewUnits));
  return element ? std::optional(element->text) : std::nullopt;
}

std::optional<Value> jsonDocumentValue(const KnownObject& object) {
  const auto json = JsonText::of(object.instance);
  return json ? readable(json->valueAt(0, object.reader.sources().previewUnits)) : std::nullopt;
}

std::optional<Value> jsonValueValue(const KnownObject& object) {
  if (object.instance.field("Value")) return object.read("Value");
  return readOfSerializer(object);
}

// A JValue without an object is null or undefined (JTokenType.cs).
std::optional<Value> jValueValue(const KnownObject& object) {
  constexpr std::int32_t kUndefined = 11;
  const auto value = object.read("_value");
  if (!value || value->kind != ValueKind::Null) return value;
  const auto type = object.instance.number<std::int32_t>("_valueType");
  return Value{.kind = ValueKind::Known, .text = type && *type == kUndefined ? "undefined" : "null"};
}

std::optional<Value> jPropertyValue(const KnownObject& object) {
  const auto name = object.read("_name");
  const auto list = object.instance.follow("_content");
  if (!name || !list) return std::nullopt;
  const auto token = KnownObject{object.reader, *list, object.references}.read("_token");
  if (!token) return std::nullopt;
  return Value{.kind = ValueKind::Known, .text = fmt::format("{}: {}", name->text, token->text), .isString = true};
}

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

/// Value of an IntPtr, or the only field of a structure of the runtime's around one; 0 if it cannot be read.
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

namespace {

struct ReadableObject {
  std::string_view name;  // without type arguments
  ReadObject read;
};

constexpr auto kKnownObjects = std::to_array<ReadableObject>({
    {"Newtonsoft.Json.Linq.JProperty", jPropertyValue},
    {"Newtonsoft.Json.Linq.JValue", jValueValue},
    {"System.Net.IPAddress", ipAddressValue},
    {"System.Reflection.MdFieldInfo", memberInfoValue},
    {"System.Reflection.RtFieldInfo", fieldInfoValue},
    {"System.Reflection.RuntimeAssembly", assemblyValue},
    {"System.Reflection.RuntimeConstructorInfo", methodInfoValue},
    {"System.Reflection.RuntimeEventInfo", memberInfoValue},
    {"System.Reflection.RuntimeMethodInfo", methodInfoValue},
    {"System.Reflection.RuntimeModule", moduleValue},
    {"System.Reflection.RuntimeParameterInfo", parameterInfoValue},
    {"System.Reflection.RuntimePropertyInfo", memberInfoValue},
    {"System.RuntimeFieldInfoStub", fieldInfoValue},
    {"System.RuntimeMethodInfoStub", methodInfoValue},
    {"System.RuntimeType", runtimeTypeValue},
    {"System.Text.Json.JsonDocument", jsonDocumentValue},
    {"System.Text.Json.Nodes.JsonValue", jsonValueValue},
    {"System.WeakReference", weakReferenceValue},
});
static_assert(std::ranges::is_sorted(kKnownObjects, {}, &ReadableObject::name));

const ReadableObject* kindOf(std::string_view typeName) {
  const std::string_view name = typeName.substr(0, typeName.find('<'));
  const auto known = std::ranges::lower_bound(kKnownObjects, name, {}, &ReadableObject::name);
  return known != kKnownObjects.end() && known->name == name ? &*known : nullptr;
}

}  // namespace

std::optional<Value> KnownObject::read(std::string_view field) const {
  const auto place = instance.field(field);
  if (!place) return std::nullopt;
  Value value = SlotReader(reader, 1, references).read(place->shape->slot, place->address, 0).value;
  if (value.kind == ValueKind::Damaged) return std::nullopt;
  return value;
}

std::optional<Value> weakReferenceValue(const KnownObject& object) {
  const auto target = weakTarget(object.instance);
  if (!target) return std::nullopt;
  Value value{.kind = ValueKind::Known, .text = "WeakReference(no target)"};
  if (!target->object) return value;
  const Value held = referenceValue(object.reader, target->object, object.references);
  if (held.kind != ValueKind::Reference) return std::nullopt;
  value.text = fmt::format("WeakReference({})", held.text);
  value.isString = held.isString;
  return value;
}

bool isKnownObjectType(const InstanceSources& sources, const TypeShape& type) {
  const TypeShape* level = &type;
  for (std::size_t depth = 0; level && depth < kLimits.parentDepth; ++depth) {
    if (kindOf(level->name)) return true;
    level = level->type.parent ? sources.shapes.find(level->type.parent) : nullptr;
  }
  return isFSharpValue(Instance(sources, type, {}));
}

std::optional<Value> readKnownObject(const ValueReader& reader, Address object, std::size_t references,
                                     std::size_t shown) {
  const InstanceSources sources = reader.instances();
  const auto instance = Instance::at(sources, object);
  if (!instance) return std::nullopt;
  // Its own type or the nearest base that is known: Loopback is a class derived from IPAddress.
  const TypeShape* level = &instance->shape();
  for (std::size_t depth = 0; level && depth < kLimits.parentDepth; ++depth) {
    if (const ReadableObject* known = kindOf(level->name)) return known->read({reader, *instance, references});
    level = level->type.parent ? sources.shapes.find(level->type.parent) : nullptr;
  }
  return readFSharpValue(reader, *instance, references, shown);
}

}  // namespace heapscape::engine
