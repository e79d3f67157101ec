// SPDX-License-Identifier: MIT
#include "session/references/edge_names.h"

#include <fmt/format.h>

#include "values/array_shape.h"
#include "values/instance.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kKeyUnits = 60;  // UTF-16 units of a string that is the key of an item

}  // namespace

EdgeNames::EdgeNames(const Contents& contents)
    : m_contents(contents),
      m_values({*contents.readers, contents.heap.get(), kKeyUnits}),
      m_methods(contents),
      m_locals(contents, m_methods) {}

EdgePlace EdgeNames::placeOf(const Edge& edge, Address methodTable) {
  EdgePlace place;
  const TypeShape* type = m_values.shapes().find(methodTable);
  if (!type || (edge.kind != EdgeKind::Field && edge.kind != EdgeKind::Element)) return place;
  if (type->type.isArray) {
    findElement(edge.from, type->type, edge.offset, place);
  } else if (edge.offset >= Instance::kFieldsOffset) {
    place.fields = fieldsAt(*type, edge.offset - Instance::kFieldsOffset);
  }
  return place;
}

void EdgeNames::findElement(Address array, const MethodTable& type, std::uint64_t offset, EdgePlace& place) {
  const auto shape = readArrayShape(*m_contents.readers, type, array);
  if (!shape || !shape->elementSize || offset < shape->elementOffset) return;
  const std::uint64_t within = offset - shape->elementOffset;
  place.element = elementLabel(*shape, within / shape->elementSize);
  const TypeShape* element = m_values.shapes().find(shape->elementType);
  if (element && element->type.isValueType) place.fields = fieldsAt(*element, within % shape->elementSize);
}

const std::vector<FieldPathPart>& EdgeNames::fieldsAt(const TypeShape& type, std::uint64_t offset) {
  auto& fields = m_fields[&type];
  const auto known = fields.find(offset);
  if (known != fields.end()) return known->second;
  return fields.emplace(offset, fieldPathAt(m_values.shapes(), type, offset)).first->second;
}

std::string EdgeNames::nameOfSaved(const Edge& edge) {
  const SuspendedMethod* method = m_locals.methodOf(edge.from);
  if (!method) return {};
  const std::string where = m_locals.placeText(edge.from);
  if (const std::string name = m_locals.nameAt(edge.from, edge.offset); !name.empty())
    return fmt::format("{} of {}", name, where);
  return fmt::format("+{} of {}", edge.offset, where);
}

std::string EdgeNames::nameOf(const Edge& edge, Address methodTable) {
  if (edge.kind == EdgeKind::Dependent) return "(dependent handle)";
  if (edge.kind == EdgeKind::Loader) return "(loader allocator)";
  const EdgePlace place = placeOf(edge, methodTable);
  const std::string fields = toString(place.fields);
  if (fields.empty() && edge.kind == EdgeKind::Field) {
    if (std::string saved = nameOfSaved(edge); !saved.empty()) return saved;
  }
  if (place.element.empty()) return fields.empty() ? fmt::format("+{}", edge.offset) : fields;
  return fields.empty() || fields.starts_with('[') ? place.element + fields : place.element + "." + fields;
}

}  // namespace heapscape::engine
