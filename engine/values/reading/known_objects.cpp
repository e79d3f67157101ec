// SPDX-License-Identifier: MIT
#include "values/reading/known_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "values/reading/fsharp_values.h"
#include "values/reading/known_object.h"
#include "values/reading/reference_values.h"
#include "values/reading/slot_reader.h"
#include "values/weak_target.h"

namespace heapscape::engine {
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

std::optional<Value> readKnownObject(const ValueReader& reader, Address object, std::size_t references) {
  const InstanceSources sources = reader.instances();
  const auto instance = Instance::at(sources, object);
  if (!instance) return std::nullopt;
  // Its own type or the nearest base that is known: Loopback is a class derived from IPAddress.
  const TypeShape* level = &instance->shape();
  for (std::size_t depth = 0; level && depth < kLimits.parentDepth; ++depth) {
    if (const ReadableObject* known = kindOf(level->name)) return known->read({reader, *instance, references});
    level = level->type.parent ? sources.shapes.find(level->type.parent) : nullptr;
  }
  return readFSharpValue(reader, *instance, references);
}

}  // namespace heapscape::engine
