// SPDX-License-Identifier: MIT
#pragma once

#include "layout/type_layout.h"
#include "runtime/types/field_descs.h"
#include "runtime/types/type_resolver.h"

namespace heapscape::engine {

/// Everything of the runtime that a layout is read from.
struct LayoutSources {
  const MethodTables& methodTables;
  const Modules& modules;
  const FieldDescs& fields;
  const TypeResolver& resolver;
  const TypeNames& names;
};

inline constexpr std::size_t kMaximumFieldsOfLayout = 1 << 14;  // a hostile nesting grows without bound

/// Whether a layout has names: those of types and fields, of all types of a heap, take most of the time.
enum class LayoutNames : std::uint8_t { All, None };

/// How the runtime laid a type out, from its field descriptions: nothing is computed but the paddings. A field whose
/// own type is not known keeps its place and reaches up to the next. Fails with NotInDump or Damaged.
Result<TypeLayout> readActualLayout(const LayoutSources& sources, Address methodTable,
                                    LayoutNames named = LayoutNames::All);

}  // namespace heapscape::engine
