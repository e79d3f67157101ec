// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "layout/declared/declared_types.h"
#include "layout/rules/placed_field.h"
#include "layout/rules/rule_set.h"
#include "layout/type_layout.h"

namespace heapscape::engine {

/// The CLR's rules of layout on x64 and arm64, from declarations alone (src/coreclr/vm/methodtablebuilder.cpp and
/// classlayoutinfo.cpp in dotnet/runtime; measured against .NET 8 to 11, arm64 9 and 10). What was computed is kept.
/// Not for use from several threads at once.
class LayoutRules {
 public:
  LayoutRules(DeclaredTypes& types, LayoutRuntime runtime);
  /// Rules over changed declarations: takes from `unchanged` what does not depend on the types that `types`
  /// answers differently, which are these.
  LayoutRules(DeclaredTypes& types, LayoutRules& unchanged, std::vector<ClosedTypeId> changed);
  ~LayoutRules();

  const LayoutRuntime& runtime() const { return m_runtime; }
  DeclaredTypes& types() { return m_types; }

  /// Fails with NotFound if metadata is missing, with Damaged, or with BadQuery and the runtime's reason if the runtime
  /// would refuse to load the type.
  Result<const FieldPlacement*> placementOf(ClosedTypeId type);
  /// Bytes of an object without elements (boxed, for a value type).
  Result<std::uint32_t> baseSizeOf(ClosedTypeId type);
  /// The layout as the runtime's own is given, with paddings; arrays, too. Fails as placementOf does.
  Result<TypeLayout> layoutOf(ClosedTypeId type);

  /// Whether the type holds one of these by value or derives from one, itself included.
  bool dependsOn(ClosedTypeId type, const std::vector<ClosedTypeId>& others);

 private:
  struct Parts;
  class Placer;
  bool dependsOnChanged(ClosedTypeId type);

  DeclaredTypes& m_types;
  LayoutRuntime m_runtime;
  std::unique_ptr<Parts> m_parts;
};

}  // namespace heapscape::engine
