// SPDX-License-Identifier: MIT
#pragma once

#include "layout/type_layout.h"
#include "report/json_writer.h"

namespace heapscape::engine {

/// One element of `layouts`. `type` and all other names are in metadata's form, `name` is the dump's.
void writeLayout(JsonWriter& json, const TypeLayout& layout);

}  // namespace heapscape::engine
