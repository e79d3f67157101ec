// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "base/enum_names.h"
#include "insight/comparison/comparison.h"
#include "tables/table.h"

namespace heapscape::engine {

/// Change of a type.
enum class TypeFate : std::uint8_t { Grown, Shrunk, New, Gone, Same };

template <>
inline constexpr auto kEnumNames<TypeFate> = std::to_array<EnumName<TypeFate>>({{TypeFate::Grown, "grown"},
                                                                                {TypeFate::Shrunk, "shrunk"},
                                                                                {TypeFate::New, "new"},
                                                                                {TypeFate::Gone, "gone"},
                                                                                {TypeFate::Same, "same"}});

TypeFate fateOf(const TypeChange& type);

/// The lists of a comparison.
const TableOf<TypeChange>& typeChangesTable();
const TableOf<FigureChange>& figureChangesTable();
const TableOf<InsightChange>& insightChangesTable();
const TableOf<LayoutChange>& layoutChangesTable();

}  // namespace heapscape::engine
