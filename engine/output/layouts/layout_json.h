// SPDX-License-Identifier: MIT
#pragma once

#include "layout/type_layout.h"
#include "output/json_writer.h"
#include "session/layouts/declared_layouts.h"

namespace heapscape::engine {

/// One element of `layouts`. `type` and all other names are in metadata's form, `name` is the dump's.
void writeLayout(JsonWriter& json, const TypeLayout& layout);
/// The members of such an element, with `rules` and what else belongs to the question.
void writeLaidOutMembers(JsonWriter& json, const LaidOut& laidOut);

}  // namespace heapscape::engine
