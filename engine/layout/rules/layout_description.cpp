// SPDX-License-Identifier: MIT
#include "layout/rules/layout_description.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "layout/object_size.h"
#include "layout/padding.h"
#include "layout/rules/placed_field.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kArrayBaseSize = 24;  // header, method table pointer and length
constexpr std::uint32_t kBoundsBytes = 8;     // length and lower bound of one dimension
constexpr std::uint32_t kTypedReferenceBytes = 16;
constexpr std::size_t kMaximumFields = 1 << 14;  // a hostile nesting grows without bound

FieldKind kindOf(ElementType element) {
  switch (element) {
    case ElementType::Class:
      return FieldKind::Reference;
    case ElementType::ValueType:
      return FieldKind::ValueType;
    case ElementType::Ptr:
    case ElementType::FnPtr:
    case ElementType::ByRef:
    case ElementType::TypedByRef:
      return FieldKind::Pointer;
    default:
      return FieldKind::Primitive;
  }
}

class LayoutDescriber {
 public:
  explicit LayoutDescriber(LayoutRules& rules) : m_rules(rules), m_types(rules.types()) {}

  Result<TypeLayout> describe(ClosedTypeId type) {
    const ElementType element = m_types.type(type).element;
    if (element == ElementType::SzArray || element == ElementType::Array) return describeArray(type);
    HEAPSCAPE_TRY(const TypeDeclaration* declaration, m_types.declarationOf(type));
    HEAPSCAPE_TRY(const FieldPlacement* placement, m_rules.placementOf(type));
    TypeLayout layout;
    layout.typeName = m_types.nameOf(type);
    layout.assembly = m_types.assemblyName(declaration->assembly);
    layout.kind = declaration->kind;
    layout.declaredKind = declaration->layoutKind;
    layout.declaredPack = declaration->pack;
    layout.declaredSize = declaration->size;
    layout.effectiveKind = placement->effective;
    HEAPSCAPE_TRY(layout.baseSize, m_rules.baseSizeOf(type));
    if (declaration->wellKnown == WellKnownType::String) layout.componentSize = 2;
    if (isValueType(*declaration)) layout.valueSize = placement->fieldBytes;
    layout.fieldsBytes = layout.valueSize.value_or(layout.baseSize - kObjectOverheadBytes);
    layout.alignment = placement->references.empty() ? placement->alignment : kPointerBytes;
    HEAPSCAPE_CHECK(addLevels(layout, type));
    layout.references = placement->references;
    findPaddings(layout);
    return layout;
  }

 private:
  Result<void> addLevels(TypeLayout& layout, ClosedTypeId type) {
    std::vector<ClosedTypeId> chain{type};
    for (;;) {
      HEAPSCAPE_TRY(const TypeDeclaration* declaration, m_types.declarationOf(chain.back()));
      if (declaration->base.isNone() || isValueType(*declaration)) break;
      if (chain.size() > kLimits.parentDepth)
        return failure(ErrorCode::Damaged, "The chain of base types runs in a circle.");
      chain.push_back(declaration->base);
    }
    for (auto level = chain.rbegin(); level != chain.rend(); ++level) {
      HEAPSCAPE_TRY(std::vector<LayoutField> fields, fieldsOf(*level, 0, 0));
      layout.addLevel(m_types.nameOf(*level), {}, std::move(fields));
    }
    TypeLayout::sortByOffset(layout.fields);
    return {};
  }

  Result<std::vector<LayoutField>> fieldsOf(ClosedTypeId type, std::uint32_t shift, std::size_t depth) {
    HEAPSCAPE_TRY(const TypeDeclaration* declaration, m_types.declarationOf(type));
    HEAPSCAPE_TRY(const FieldPlacement* placement, m_rules.placementOf(type));
    std::vector<LayoutField> fields;
    m_fieldCount += declaration->fields.size();
    if (m_fieldCount > kMaximumFields)
      return failure(ErrorCode::BadQuery, "The type has more fields than can be drawn.");
    fields.reserve(declaration->fields.size());
    for (std::size_t i = 0; i < declaration->fields.size(); ++i) {
      const FieldDeclaration& declared = declaration->fields[i];
      LayoutField field;
      field.declaringType = m_types.nameOf(type);
      field.name = declared.name;
      field.typeName = m_types.fieldTypeName(type, declared);
      field.offset = shift + placement->offsets[i];
      field.sizeBytes = placement->sizes[i];
      field.repeat = placement->repeat;
      field.kind = kindOf(declared.element);
      if (declared.element == ElementType::TypedByRef) field.sizeBytes = kTypedReferenceBytes;
      if (declared.element == ElementType::ValueType && depth < kLimits.nestingDepth) {
        HEAPSCAPE_TRY(field.nested, fieldsOf(declared.type, field.offset, depth + 1));
      }
      fields.push_back(std::move(field));
    }
    if (depth) TypeLayout::sortByOffset(fields);
    return fields;
  }

  Result<TypeLayout> describeArray(ClosedTypeId type) {
    const ClosedType array = m_types.type(type);
    const ClosedTypeId element = array.arguments.front();
    TypeLayout layout;
    layout.typeName = m_types.nameOf(type);
    layout.kind = TypeKind::Array;
    layout.rank = array.element == ElementType::Array ? std::max(array.rank, 1u) : 1;
    layout.baseSize = kArrayBaseSize + (array.element == ElementType::Array ? kBoundsBytes * layout.rank : 0);
    layout.elementTypeName = m_types.nameOf(element);
    layout.elementOffset = layout.baseSize - kPointerBytes;
    layout.componentSize = kPointerBytes;
    const ClosedType elementType = m_types.type(element);
    if (!elementType.assembly.isNone()) layout.assembly = m_types.assemblyName(elementType.assembly);
    layout.elementKind = FieldKind::Reference;
    if (elementType.element == ElementType::Ptr || elementType.element == ElementType::FnPtr) {
      layout.elementKind = FieldKind::Pointer;
    } else if (const std::uint32_t size = primitiveSize(elementType.element)) {
      layout.elementKind = FieldKind::Primitive;
      layout.componentSize = size;
    } else if (elementType.element == ElementType::ValueType) {
      HEAPSCAPE_TRY(const TypeDeclaration* declaration, m_types.declarationOf(element));
      HEAPSCAPE_TRY(TypeLayout nested, describe(element));
      layout.componentSize = nested.valueSize.value_or(kPointerBytes);
      layout.elementKind = declaration->kind == TypeKind::Enum ? FieldKind::Primitive : FieldKind::ValueType;
      if (layout.elementKind == FieldKind::ValueType) layout.elementLayout.push_back(std::move(nested));
    }
    return layout;
  }

  LayoutRules& m_rules;
  DeclaredTypes& m_types;
  std::size_t m_fieldCount = 0;
};

}  // namespace

Result<TypeLayout> describeLayout(LayoutRules& rules, ClosedTypeId type) {
  return LayoutDescriber(rules).describe(type);
}

}  // namespace heapscape::engine
