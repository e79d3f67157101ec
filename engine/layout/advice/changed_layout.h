// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "layout/rules/changed_types.h"
#include "layout/rules/layout_rules.h"

namespace heapscape::engine {

/// Layout of one type by the rules if its declaration is changed.
struct ChangedLayout {
  std::uint32_t instanceBytes = 0;  // base size of a class, unboxed size of a value type
  FieldPlacement placement;
};

/// Fails as LayoutRules::placementOf does, so also where the runtime would refuse the changed type.
Result<ChangedLayout> layOutChanged(LayoutRules& rules, ClosedTypeId type, const DeclarationChange& change);

/// Base size of a class, unboxed size of a value type. Fails as LayoutRules::placementOf does.
Result<std::uint32_t> instanceBytesOf(LayoutRules& rules, ClosedTypeId type);

/// The alignment that a field's type asks for. Fails as LayoutRules::placementOf does.
Result<std::uint32_t> alignmentOfField(LayoutRules& rules, const FieldDeclaration& field);

/// Whether own fields share bytes, as those of unions do.
bool fieldsOverlap(const FieldPlacement& placement);

/// Whether auto layout puts the field behind all others, at its own alignment.
bool isPlacedAsValueType(const FieldDeclaration& field);

/// Whether the type is .NET's, and so not the reader's to change: by its assembly, or by its name where that is not
/// known.
bool isOfFramework(DeclaredTypes& types, ClosedTypeId type);

/// Why a better declaration may not be wanted or possible: the type belongs to the framework or to the compiler, what
/// it declares may be meant (native code, false sharing), offsets by hand, other type arguments. Empty if nothing
/// speaks against it. Fails as LayoutRules::placementOf does.
Result<std::string> cautionAgainst(LayoutRules& rules, ClosedTypeId type, const DeclarationChange& change);

/// Whether the C# compiler made the type: closures, iterators, async methods, anonymous types.
bool isMadeByCompiler(std::string_view typeName);

}  // namespace heapscape::engine
