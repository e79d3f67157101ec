// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "layout/type_layout.h"
#include "output/json_writer.h"
#include "output/output.h"
#include "session/layouts/declared_layouts.h"

namespace heapscape::engine {

/// One element of `layouts`. `type` and all other names are in metadata's form, `name` is the dump's.
void writeLayout(JsonWriter& json, const TypeLayout& layout);
/// The members of such an element, with `rules` and what else belongs to the question.
void writeVariantMembers(JsonWriter& json, const LayoutVariant& variant);

/// Whole that a percentage of padding is of: "fields" of an object, "value", "element".
const char* spaceOf(LayoutUnit unit);

/// The line that names the type and how it is declared.
void writeLayoutTitle(Output& output, const TypeLayout& layout);

/// The layout as a box, see layout_box.h, with its size and padding above it.
void writeLayoutText(Output& output, const TypeLayout& layout);

/// Answer about one type.
struct LayoutAnswer {
  std::vector<LayoutVariant> layouts;  // at least one; several stand side by side
  std::optional<TypeStudy> study;      // where reasons or the best declaration are asked for
  bool showsWhy = false;               // the reasons of each layout, and why it is not as declared
  bool showsBest = false;              // the best declaration and the advice
};

/// Elements of `layouts`; what belongs to the type is in its first one.
void writeLayoutAnswer(JsonWriter& json, const LayoutAnswer& answer);
void writeLayoutAnswer(Output& output, const LayoutAnswer& answer);

/// The member "framework": what an assembly's references were read from, and by whose rules types were laid out.
void writeFramework(JsonWriter& json, const FrameworkRead& framework, std::uint32_t rulesOf);
/// Writes the framework as a line for people.
void writeFramework(Output& output, const FrameworkRead& framework, std::uint32_t rulesOf);

}  // namespace heapscape::engine
