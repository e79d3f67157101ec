// SPDX-License-Identifier: MIT
#pragma once

#include "heap/segment.h"
#include "layout/framework_assembly.h"
#include "tables/table.h"

namespace heapscape::engine {

/// A cell of what a row may have or not.
template <class Value>
Cell orNothing(const std::optional<Value>& value) {
  return value ? Cell(*value) : Cell();
}

// Columns that several lists have. `of` as in column().

/// "type": a type of the heap, in a list of types.
template <class Row, class Of>
ColumnOf<Row> typeNameColumn(Of of) {
  return column<Row>({.name = "type",
                      .title = "Type",
                      .meaning = "Full name.",
                      .kind = ColumnKind::TypeName,
                      .jsonName = "name",
                      .isSearched = true},
                     of);
}

/// "type": of an object that the row is about.
template <class Row, class Of>
ColumnOf<Row> objectTypeColumn(Of of) {
  return column<Row>({.name = "type",
                      .title = "Type",
                      .meaning = "Type of the object.",
                      .kind = ColumnKind::TypeName,
                      .isSearched = true},
                     of);
}

template <class Row, class Of>
ColumnOf<Row> methodTableColumn(Of of) {
  return column<Row>({.name = "methodTable",
                      .title = "Method table",
                      .meaning = "Address of the type's method table.",
                      .kind = ColumnKind::Address},
                     of);
}

template <class Row, class Of>
ColumnOf<Row> assemblyColumn(Of of) {
  return column<Row>({.name = "assembly", .title = "Assembly", .meaning = "File name of the assembly."}, of);
}

/// "own", by the type's assembly.
template <class Row, class Of>
ColumnOf<Row> ownColumn(Of assembly) {
  return column<Row>({.name = "own",
                      .title = "Own",
                      .meaning = "Not of .NET itself: a type of the program, or of a package.",
                      .kind = ColumnKind::Flag,
                      .isInJson = false},
                     [assembly](const Row& row) { return !isFrameworkAssembly(std::invoke(assembly, row)); });
}

/// "loadContext".
template <class Row, class Of>
ColumnOf<Row> loadContextColumn(Of of) {
  return column<Row>({.name = "loadContext",
                      .title = "Load context",
                      .meaning = "Name or type of the AssemblyLoadContext, of a collectible one with its address."},
                     of);
}

/// "retained": by the object that the row is about.
template <class Row, class Of>
ColumnOf<Row> retainedColumn(Of of) {
  return column<Row>({.name = "retained",
                      .title = "Retained",
                      .meaning = "What would be freed with the object.",
                      .kind = ColumnKind::Bytes,
                      .jsonName = "retainedBytes",
                      .hidesZero = true},
                     of);
}

template <class Row, class Of>
ColumnOf<Row> generationColumn(Of of) {
  return column<Row>({.name = "generation",
                      .title = "Generation",
                      .meaning = "Generation, or the heap beside them.",
                      .kind = ColumnKind::Choice,
                      .choices = namesOf<Generation>(),
                      .isSearched = true},
                     of);
}

/// "heap": of the GC.
template <class Row, class Of>
ColumnOf<Row> heapColumn(Of of) {
  return column<Row>({.name = "heap",
                      .title = "Heap",
                      .meaning = "Number of the GC's heap; 0 without server GC.",
                      .kind = ColumnKind::Id},
                     of);
}

/// "methodDesc": of a method.
template <class Row, class Of>
ColumnOf<Row> methodDescColumn(Of of) {
  return column<Row>({.name = "methodDesc",
                      .title = "MethodDesc",
                      .meaning = "Address of the runtime's MethodDesc.",
                      .kind = ColumnKind::Address,
                      .isSearched = true},
                     of);
}

}  // namespace heapscape::engine
