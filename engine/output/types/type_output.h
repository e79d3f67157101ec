// SPDX-License-Identifier: MIT
#pragma once

#include "output/json_writer.h"
#include "output/output.h"
#include "output/row_selection.h"
#include "session/roots/statics_query.h"
#include "session/types/type_details.h"

namespace heapscape::engine {

/// The parts of the EEClass that only some types have, and its counts, by the runtime's names.
void writeTypeClassText(Output& output, const TypeDetails& type);

/// Writes what a class has as members of the object that is open: `eeClassFigures`, `optionalFields` and `layoutInfo`,
/// null for what the class does not have.
void writeTypeClassMembers(JsonWriter& json, const TypeDetails& type);

/// How shared code finds its type arguments: the steps, dictionaries with their slots and what each costs next, those
/// of parents and of generic methods. Nothing for a type that has none of it.
void writeTypeLookupsText(Output& output, const TypeDetails& type);

/// Writes how shared code finds its type arguments as members of the object that is open: `dictionary` and `lookups`
/// {`paths`, `figures`, `inherited`, `methods`}.
void writeTypeLookupMembers(JsonWriter& json, const TypeDetails& type);

/// The member `type`: everything of the type, with its statics. The selection's limit holds for methods and statics.
void writeType(JsonWriter& json, const TypeDetails& type, const StaticList& statics, const RowSelection& selection);

/// The type for people: facts, then tables of fields, statics and methods, generics, and where its parts lie. The
/// selection's limit holds for methods and statics.
void writeTypeText(Output& output, const TypeDetails& type, const StaticList& statics, const RowSelection& selection);

}  // namespace heapscape::engine
