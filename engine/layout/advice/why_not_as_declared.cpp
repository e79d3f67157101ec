// SPDX-License-Identifier: MIT
#include <string>

#include "base/limits.h"
#include "layout/advice/type_advice.h"
#include "metadata/names/csharp_field_name.h"

namespace heapscape::engine {
namespace {

/// A field by its path through value types, "Line.Product", and its own type.
struct FoundField {
  std::string path;
  std::string typeName;
};

Result<bool> holdsReferences(LayoutRules& rules, const FieldDeclaration& field) {
  if (field.element != ElementType::ValueType) return field.element == ElementType::Class;
  HEAPSCAPE_TRY(const FieldPlacement* value, rules.placementOf(field.type));
  return !value->references.empty();
}

/// Null if no own field holds a reference.
Result<const FieldDeclaration*> firstWithReference(LayoutRules& rules, ClosedTypeId type) {
  HEAPSCAPE_TRY(const TypeDeclaration* declaration, rules.types().declarationOf(type));
  for (const FieldDeclaration& field : declaration->fields) {
    HEAPSCAPE_TRY(const bool holds, holdsReferences(rules, field));
    if (holds) return &field;
  }
  return nullptr;
}

/// The reference that a field is, or the first one in its value. Value types that the rules could place do not hold
/// themselves, so that the way down ends.
Result<FoundField> referenceIn(LayoutRules& rules, ClosedTypeId owner, const FieldDeclaration* field) {
  FoundField found;
  for (;;) {
    found.path += found.path.empty() ? "" : ".";
    found.path += csharpFieldName(field->name);
    found.typeName = rules.types().fieldTypeName(owner, *field);
    if (field->element != ElementType::ValueType) return found;
    owner = field->type;
    HEAPSCAPE_TRY(field, firstWithReference(rules, owner));
    if (!field) return found;
  }
}

/// The reference that the nearest base with one has.
Result<std::string> inheritedReference(LayoutRules& rules, ClosedTypeId base) {
  for (std::size_t depth = 0; !base.isNone() && depth < kLimits.parentDepth; ++depth) {
    HEAPSCAPE_TRY(const FieldDeclaration* field, firstWithReference(rules, base));
    if (field) {
      HEAPSCAPE_TRY(const FoundField found, referenceIn(rules, base, field));
      return "it inherits " + found.path + " (" + found.typeName + ") from " + rules.types().nameOf(base) +
             ", which is a reference";
    }
    HEAPSCAPE_TRY(const TypeDeclaration* declaration, rules.types().declarationOf(base));
    base = declaration->base;
  }
  return std::string("it inherits a reference");
}

Result<std::string> obstacle(LayoutRules& rules, ClosedTypeId type, const TypeDeclaration& declaration,
                             const FieldPlacement& placement) {
  constexpr std::string_view kRule = ", and the runtime keeps the declared order only where there are none";
  switch (placement.obstacle) {
    case SequentialObstacle::Reference: {
      HEAPSCAPE_TRY(const FoundField found, referenceIn(rules, type, &declaration.fields.at(placement.obstacleField)));
      return found.path + " (" + found.typeName + ") is a reference" + std::string(kRule);
    }
    case SequentialObstacle::InheritedReference: {
      HEAPSCAPE_TRY(std::string inherited, inheritedReference(rules, declaration.base));
      return inherited + std::string(kRule);
    }
    case SequentialObstacle::BaseNotSequential: {
      HEAPSCAPE_TRY(const FieldPlacement* base, rules.placementOf(declaration.base));
      return "its base class " + rules.types().nameOf(declaration.base) + " has " + toString(base->effective) +
             " layout, not sequential";
    }
    case SequentialObstacle::AutoField: {
      const FieldDeclaration& field = declaration.fields.at(placement.obstacleField);
      return std::string(csharpFieldName(field.name)) + " (" + rules.types().fieldTypeName(type, field) +
             ") is a value type with auto layout";
    }
    case SequentialObstacle::None:
      break;
  }
  return std::string();
}

}  // namespace

Result<std::string> whyNotAsDeclared(LayoutRules& rules, ClosedTypeId type) {
  const ElementType element = rules.types().type(type).element;
  if (element == ElementType::SzArray || element == ElementType::Array) return std::string();
  HEAPSCAPE_TRY(const TypeDeclaration* declaration, rules.types().declarationOf(type));
  HEAPSCAPE_TRY(const FieldPlacement* placement, rules.placementOf(type));
  if (declaration->layoutKind != LayoutKind::Sequential || placement->effective != LayoutKind::Auto)
    return std::string();
  HEAPSCAPE_TRY(const std::string why, obstacle(rules, type, *declaration, *placement));
  if (why.empty()) return std::string();
  std::string text = "Declared sequential, laid out auto: " + why + ".";
  if (declaration->pack && declaration->size) return text + " Pack and Size are ignored, too.";
  if (declaration->pack) return text + " Pack is ignored, too.";
  if (declaration->size) return text + " Size is ignored, too.";
  return text;
}

}  // namespace heapscape::engine
