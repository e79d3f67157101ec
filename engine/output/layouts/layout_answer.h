// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "output/json_writer.h"
#include "output/output.h"
#include "session/layouts/declared_layouts.h"

namespace heapscape::engine {

/// What is told about one type.
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
/// The same as a line for people.
void writeFramework(Output& output, const FrameworkRead& framework, std::uint32_t rulesOf);

}  // namespace heapscape::engine
