// SPDX-License-Identifier: MIT
#pragma once

#include "layout/type_layout.h"
#include "output/json_writer.h"
#include "output/output.h"
#include "session/layouts/declared_layouts.h"

namespace heapscape::engine {

/// One element of `layouts`. `type` and all other names are in metadata's form, `name` is the dump's.
void writeLayout(JsonWriter& json, const TypeLayout& layout);
/// The members of such an element, with `rules` and what else belongs to the question.
void writeVariantMembers(JsonWriter& json, const LayoutVariant& variant);

/// What a percentage of padding is of: "fields" of an object, "value", "element".
const char* spaceOf(LayoutUnit unit);

/// The line that names the type and how it is declared.
void writeLayoutTitle(Output& output, const TypeLayout& layout);

/// The layout as a box, see layout_box.h, with its size and padding above it.
void writeLayoutText(Output& output, const TypeLayout& layout);

}  // namespace heapscape::engine
