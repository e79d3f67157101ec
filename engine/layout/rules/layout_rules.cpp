// SPDX-License-Identifier: MIT
#include "layout/rules/layout_rules.h"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "base/limits.h"
#include "layout/object_size.h"
#include "layout/padding.h"
#include "layout/repeated_field.h"
#include "layout/rules/placed_field.h"
#include "layout/rules/placement.h"

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

/// The computed layout of a type in the form that the runtime's own one is given in. Fails as
/// LayoutRules::placementOf does.
Result<TypeLayout> describeLayout(LayoutRules& rules, ClosedTypeId type) {
  return LayoutDescriber(rules).describe(type);
}

/// Native types of MarshalAs, ECMA-335 II.23.4 and CorNativeType.
enum NativeType : std::uint8_t {
  kI1 = 0x03,
  kU1 = 0x04,
  kI2 = 0x05,
  kU2 = 0x06,
  kI4 = 0x07,
  kU4 = 0x08,
  kI8 = 0x09,
  kU8 = 0x0a,
  kR4 = 0x0b,
  kR8 = 0x0c,
  kStruct = 0x1b,
  kInt = 0x1f,
  kUInt = 0x20,
  kFunc = 0x26,
  kError = 0x2d,
};

bool isBlittable(const PlacedField& field, bool isAnsi) {
  const auto native = field.declaration->nativeType;
  const auto isOneOf = [native](std::initializer_list<NativeType> same) {
    return !native || std::ranges::find(same, *native) != same.end();
  };
  switch (field.declaration->element) {
    case ElementType::Char:
      return native ? isOneOf({kI2, kU2}) : !isAnsi;
    case ElementType::I1:
    case ElementType::U1:
      return isOneOf({kI1, kU1});
    case ElementType::I2:
    case ElementType::U2:
      return isOneOf({kI2, kU2});
    case ElementType::I4:
    case ElementType::U4:
      return isOneOf({kI4, kU4, kError});
    case ElementType::I8:
    case ElementType::U8:
      return isOneOf({kI8, kU8});
    case ElementType::R4:
      return isOneOf({kR4});
    case ElementType::R8:
      return isOneOf({kR8});
    case ElementType::I:
    case ElementType::U:
      return isOneOf({kInt, kUInt});
    case ElementType::Ptr:
      return isOneOf({kFunc});
    case ElementType::ValueType:
      return isOneOf({kStruct}) && field.value && field.value->isBlittable;
    default:
      return false;
  }
}

/// Whether the type looks the same to native code (IsFieldBlittable, src/coreclr/vm/fieldmarshaler.cpp): which decides
/// on .NET 8 and 9 whether a sequential class below an explicit one keeps its order.
bool isBlittable(const PlacementInput& input) {
  const TypeDeclaration& type = input.declaration;
  if (type.layoutKind == LayoutKind::Auto || type.wellKnown == WellKnownType::Decimal) return false;
  if (input.base.placement && !input.base.placement->isBlittable) return false;
  return std::ranges::all_of(input.fields, [&](const PlacedField& field) { return isBlittable(field, type.isAnsi); });
}

constexpr std::uint32_t kStringBaseSize = 22;  // header, method table, length and the terminator
constexpr std::size_t kDeepest = 1000;         // of bases and value types inside each other
constexpr std::uint32_t kFirstRuntimeWithoutSizedInlineArrays = 10;
constexpr std::uint32_t kFirstRuntimeOfManagedSequential = 10;  // where blittable types are no exception any more

tl::unexpected<Error> refusedType(std::string why) {
  return failure(ErrorCode::BadQuery, std::move(why));
}

std::uint32_t alignmentOfWellKnown(WellKnownType type, std::uint32_t vectorAlignment) {
  switch (type) {
    case WellKnownType::Vector64:
      return 8;
    case WellKnownType::Int128:
    case WellKnownType::Vector128:
      return 16;
    case WellKnownType::Vector256:
      return std::min(32u, vectorAlignment);
    case WellKnownType::Vector512:
      return std::min(64u, vectorAlignment);
    default:
      return 0;
  }
}

}  // namespace

struct LayoutRules::Parts {
  struct Known {
    bool isBeingPlaced = false;
    std::optional<Result<FieldPlacement>> placement = {};
  };

  std::unordered_map<ClosedTypeId, Known> known;
  LayoutRules* unchanged = nullptr;
  std::vector<ClosedTypeId> changed;
  std::unordered_map<ClosedTypeId, bool> depends;  // on the changed ones
  std::size_t depth = 0;
};

/// Places the fields of one type.
class LayoutRules::Placer {
 public:
  Placer(LayoutRules& rules, ClosedTypeId id, const TypeDeclaration& declaration)
      : m_rules(rules), m_id(id), m_declaration(declaration) {}

  Result<FieldPlacement> place() {
    if (m_declaration.kind == TypeKind::Interface) return refusedType("An interface has no instances.");
    PlacementInput input{m_declaration, {}, {}, m_rules.m_runtime, false};
    HEAPSCAPE_CHECK(addFields(input));
    HEAPSCAPE_CHECK(addBase(input));
    HEAPSCAPE_CHECK(checkDeclaration(input));
    const bool isBlittable = engine::isBlittable(input);
    const SequentialObstacle obstacle = obstacleOf(input, isBlittable);
    LayoutKind kind = m_declaration.layoutKind;
    if (kind == LayoutKind::Sequential && obstacle != SequentialObstacle::None) kind = LayoutKind::Auto;
    input.alignsBase = alignsBase(input);
    HEAPSCAPE_TRY(FieldPlacement placement, kind == LayoutKind::Auto         ? placeAuto(input)
                                            : kind == LayoutKind::Sequential ? placeSequential(input)
                                                                             : placeExplicit(input));
    for (const PlacedField& field : input.fields) placement.sizes.push_back(field.sizeBytes);
    placement.obstacle = obstacle;
    placement.obstacleField = m_obstacleField;
    placement.isBlittable = isBlittable;
    placement.isManagedSequential =
        kind == LayoutKind::Sequential && (!input.base.placement || input.base.placement->isManagedSequential);
    placement.dependsOnOtherBubbles = dependsOnOtherBubbles(input);
    placement.repeat = repeatOf(input, placement);
    applyWellKnown(placement);
    return placement;
  }

 private:
  DeclaredTypes& types() const { return m_rules.m_types; }

  Result<void> addFields(PlacementInput& input) {
    for (const FieldDeclaration& field : m_declaration.fields) {
      PlacedField placed{&field, nullptr, kPointerBytes, kPointerBytes};
      if (field.element == ElementType::ValueType || field.element == ElementType::TypedByRef) {
        auto value = m_rules.placementOf(field.type);
        if (!value) return inField(field, value.error());
        placed.value = *value;
        placed.sizeBytes = placed.value->fieldBytes;
        placed.alignment = placed.value->references.empty() ? placed.value->alignment : kPointerBytes;
      } else if (const std::uint32_t size = primitiveSize(field.element)) {
        placed.sizeBytes = placed.alignment = size;
      }
      input.fields.push_back(placed);
    }
    return {};
  }

  static Result<void> inField(const FieldDeclaration& field, const Error& error) {
    return failure(error.code, "Its field " + std::string(field.name) + ": " + error.what, error.help);
  }

  Result<void> addBase(PlacementInput& input) {
    if (m_declaration.base.isNone() || isValueType(m_declaration)) return {};
    HEAPSCAPE_TRY(const TypeDeclaration* base, types().declarationOf(m_declaration.base));
    if (base->wellKnown == WellKnownType::Object || base->wellKnown == WellKnownType::ValueType) return {};
    input.base.declaration = base;
    HEAPSCAPE_TRY(input.base.placement, m_rules.placementOf(m_declaration.base));
    input.base.isInOtherBubble = isElsewhere(m_declaration.base);
    return {};
  }

  Result<void> checkDeclaration(const PlacementInput& input) const {
    const bool hasLayout = m_declaration.layoutKind != LayoutKind::Auto;
    if (m_declaration.layoutKind == LayoutKind::Explicit && m_declaration.isGeneric)
      return refusedType("Generic types, and types inside them, cannot have explicit layout.");
    if (hasLayout && input.base.declaration && !input.base.hasLayout()) {
      return refusedType(
          "A class with sequential or explicit layout has to derive from Object or from a class with such a "
          "layout.");
    }
    if (hasLayout && m_declaration.pack > 128) return refusedType("Its Pack is more than 128.");
    if (hasLayout && m_declaration.pack && !std::has_single_bit(m_declaration.pack))
      return refusedType("Its Pack is no power of two.");
    if (!m_declaration.inlineArrayLength) return {};
    if (static_cast<std::int32_t>(*m_declaration.inlineArrayLength) <= 0)
      return refusedType("InlineArrayAttribute needs a length above zero.");
    if (input.fields.size() != 1) return refusedType("InlineArrayAttribute needs a type with exactly one field.");
    if (m_declaration.layoutKind == LayoutKind::Explicit)
      return refusedType("InlineArrayAttribute cannot be applied to a type with explicit layout.");
    if (m_declaration.size && m_rules.m_runtime.majorVersion >= kFirstRuntimeWithoutSizedInlineArrays)
      return refusedType("InlineArrayAttribute cannot be applied to a type with explicit size.");
    return {};
  }

  // MethodTableBuilder::PlaceInstanceFields; before .NET 10 EEClassLayoutInfo::CollectLayoutFieldMetadataThrowing.
  SequentialObstacle obstacleOf(const PlacementInput& input, bool isBlittable) {
    for (std::uint32_t i = 0; i < input.fields.size(); ++i) {
      if (!input.fields[i].holdsReferences()) continue;
      m_obstacleField = i;
      return SequentialObstacle::Reference;
    }
    if (input.base.hasReferences()) return SequentialObstacle::InheritedReference;
    if (m_rules.m_runtime.classicStructs && !isBlittable) {
      for (std::uint32_t i = 0; i < input.fields.size(); ++i) {
        if (!input.fields[i].value || input.fields[i].value->isManagedSequential) continue;
        m_obstacleField = i;
        return SequentialObstacle::AutoField;
      }
    }
    if (!input.base.placement || input.base.placement->isManagedSequential) return SequentialObstacle::None;
    const bool blittableIsEnough = m_rules.m_runtime.majorVersion < kFirstRuntimeOfManagedSequential;
    return blittableIsEnough && isBlittable ? SequentialObstacle::None : SequentialObstacle::BaseNotSequential;
  }

  // MethodTableBuilder::NeedsAlignedBaseOffset.
  bool alignsBase(const PlacementInput& input) const {
    if (!input.base.placement || !types().isReadyToRun(m_declaration.assembly)) return false;
    return input.base.isInOtherBubble || input.base.placement->dependsOnOtherBubbles;
  }

  bool isElsewhere(ClosedTypeId other) const {
    return !types().sharesVersionBubble(m_declaration.assembly, types().type(other).assembly);
  }

  // MethodTableBuilder::CheckLayoutDependsOnOtherModules.
  bool dependsOnOtherBubbles(const PlacementInput& input) const {
    if (input.base.placement && (input.base.isInOtherBubble || input.base.placement->dependsOnOtherBubbles))
      return true;
    return std::ranges::any_of(input.fields, [this](const PlacedField& field) {
      return field.value && (isElsewhere(field.declaration->type) || field.value->dependsOnOtherBubbles);
    });
  }

  // Inline arrays and fixed buffers declare their first element alone.
  std::uint32_t repeatOf(const PlacementInput& input, const FieldPlacement& placement) const {
    if (m_declaration.inlineArrayLength) return *m_declaration.inlineArrayLength;
    if (m_declaration.kind != TypeKind::Struct || input.fields.size() != 1) return 1;
    const std::uint32_t element = input.fields.front().sizeBytes;
    if (!element || placement.fieldBytes <= element || placement.fieldBytes % element) return 1;
    return isFixedBuffer(types().nameOf(m_id)) ? placement.fieldBytes / element : 1;
  }

  void applyWellKnown(FieldPlacement& placement) const {
    if (m_declaration.wellKnown == WellKnownType::VectorOfT) placement.fieldBytes = m_rules.m_runtime.vectorBytes;
    if (const auto alignment = alignmentOfWellKnown(m_declaration.wellKnown, m_rules.m_runtime.vectorAlignment))
      placement.alignment = alignment;
  }

  LayoutRules& m_rules;
  ClosedTypeId m_id;
  const TypeDeclaration& m_declaration;
  std::uint32_t m_obstacleField = 0;
};

LayoutRules::LayoutRules(DeclaredTypes& types, LayoutRuntime runtime)
    : m_types(types), m_runtime(runtime), m_parts(std::make_unique<Parts>()) {}

LayoutRules::LayoutRules(DeclaredTypes& types, LayoutRules& unchanged, std::vector<ClosedTypeId> changed)
    : LayoutRules(types, unchanged.runtime()) {
  m_parts->unchanged = &unchanged;
  m_parts->changed = std::move(changed);
}

LayoutRules::~LayoutRules() = default;

Result<const FieldPlacement*> LayoutRules::placementOf(ClosedTypeId type) {
  if (m_parts->unchanged && !dependsOnChanged(type)) return m_parts->unchanged->placementOf(type);
  Parts::Known& known = m_parts->known[type];
  if (known.isBeingPlaced) return refusedType("It contains itself.");
  if (!known.placement) {
    if (m_parts->depth >= kDeepest)
      return failure(ErrorCode::Damaged, "Its value types or base types lie too deep in each other.");
    known.isBeingPlaced = true;
    ++m_parts->depth;
    const auto place = [&]() -> Result<FieldPlacement> {
      HEAPSCAPE_TRY(const TypeDeclaration* declaration, m_types.declarationOf(type));
      return Placer(*this, type, *declaration).place();
    };
    known.placement = place();
    --m_parts->depth;
    known.isBeingPlaced = false;
  }
  if (!*known.placement) return tl::unexpected<Error>(known.placement->error());
  return &**known.placement;
}

bool LayoutRules::dependsOnChanged(ClosedTypeId type) {
  const auto known = m_parts->depends.find(type);
  if (known != m_parts->depends.end()) return known->second;
  m_parts->depends[type] = false;  // ends circles
  const bool depends = dependsOn(type, m_parts->changed);
  return m_parts->depends[type] = depends;
}

bool LayoutRules::dependsOn(ClosedTypeId type, const std::vector<ClosedTypeId>& others) {
  std::vector<ClosedTypeId> open{type};
  std::vector<ClosedTypeId> seen;
  while (!open.empty() && seen.size() < kLimits.nestedValues) {
    const ClosedTypeId next = open.back();
    open.pop_back();
    if (std::ranges::find(others, next) != others.end()) return true;
    if (std::ranges::find(seen, next) != seen.end()) continue;
    seen.push_back(next);
    const auto declaration = m_types.declarationOf(next);
    if (!declaration) continue;
    if (!(*declaration)->base.isNone()) open.push_back((*declaration)->base);
    for (const FieldDeclaration& field : (*declaration)->fields) {
      if (field.element == ElementType::ValueType) open.push_back(field.type);
    }
  }
  return false;
}

Result<std::uint32_t> LayoutRules::baseSizeOf(ClosedTypeId type) {
  HEAPSCAPE_TRY(const TypeDeclaration* declaration, m_types.declarationOf(type));
  if (declaration->wellKnown == WellKnownType::String) return kStringBaseSize;
  HEAPSCAPE_TRY(const FieldPlacement* placement, placementOf(type));
  return static_cast<std::uint32_t>(objectBytes(placement->fieldBytes));
}

Result<TypeLayout> LayoutRules::layoutOf(ClosedTypeId type) {
  return describeLayout(*this, type);
}

}  // namespace heapscape::engine
