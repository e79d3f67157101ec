// SPDX-License-Identifier: MIT
#pragma once

#include "output/json_writer.h"
#include "output/output.h"
#include "output/row_selection.h"
#include "session/roots/statics_query.h"
#include "session/types/type_details.h"

namespace heapscape::engine {

/// The member `type`: everything of the type, with its statics. The selection's limit holds for methods and statics.
void writeType(JsonWriter& json, const TypeDetails& type, const StaticList& statics, const RowSelection& selection);

/// The type for people: facts, then tables of fields, statics and methods, generics, and where its parts lie. The
/// selection's limit holds for methods and statics.
void writeTypeText(Output& output, const TypeDetails& type, const StaticList& statics, const RowSelection& selection);

}  // namespace heapscape::engine
