// SPDX-License-Identifier: MIT
#pragma once

#include "layout/declared/closed_type.h"
#include "layout/declared/type_declaration.h"

namespace heapscape::engine {

/// A row of an assembly's TypeDef table.
struct TypeDefinition {
  AssemblyId assembly;
  std::uint32_t row = 0;

  constexpr bool operator==(const TypeDefinition&) const = default;
  constexpr std::uint64_t key() const { return std::uint64_t{assembly.value} << 32 | row; }
};

/// What a definition is, whatever its type arguments.
struct DefinitionFacts {
  TypeKind kind = TypeKind::Class;
  WellKnownType wellKnown = WellKnownType::None;
  /// How a closed type of it is marked: Class, ValueType, a primitive, Void or TypedByRef.
  ElementType element = ElementType::Class;
  ElementType underlying = ElementType::End;  // of an enum; End if it has no field
  std::uint32_t parameterCount = 0;           // type parameters, those of outer types included

  bool isValueType() const { return element != ElementType::Class; }
};

}  // namespace heapscape::engine
