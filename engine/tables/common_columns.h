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
  return typeColumn<Row>("type", "Type", "Full name.", of).inJsonAs("name").searched();
}

/// "type": of an object that the row is about.
template <class Row, class Of>
ColumnOf<Row> objectTypeColumn(Of of) {
  return typeColumn<Row>("type", "Type", "Type of the object.", of).searched();
}

template <class Row, class Of>
ColumnOf<Row> methodTableColumn(Of of) {
  return addressColumn<Row>("methodTable", "Method table", "Address of the type's method table.", of);
}

template <class Row, class Of>
ColumnOf<Row> assemblyColumn(Of of) {
  return textColumn<Row>("assembly", "Assembly", "File name of the assembly.", of);
}

/// "own", by the type's assembly.
template <class Row, class Of>
ColumnOf<Row> ownColumn(Of assembly) {
  return flagColumn<Row>("own", "Own", "Not of .NET itself: a type of the program, or of a package.",
                         [assembly](const Row& row) { return !isFrameworkAssembly(std::invoke(assembly, row)); })
      .notInJson();
}

/// "code".
template <class Row, class Of>
ColumnOf<Row> codeColumn(Of owner) {
  return choiceColumn<Row>("code", "Code", "Whose: own, of a package, or .NET's (framework).", owner).notInJson();
}

/// "loadContext".
template <class Row, class Of>
ColumnOf<Row> loadContextColumn(Of of) {
  return textColumn<Row>("loadContext", "Load context",
                         "Name or type of the AssemblyLoadContext, of a collectible one with its address.", of);
}

/// "retained": by the object that the row is about.
template <class Row, class Of>
ColumnOf<Row> retainedColumn(Of of) {
  return bytesColumn<Row>("retained", "Retained", "What would be freed with the object.", of)
      .inJsonAs("retainedBytes")
      .hidingZero();
}

template <class Row, class Of>
ColumnOf<Row> generationColumn(Of of) {
  return choiceColumn<Row>("generation", "Generation", "Generation, or the heap beside them.", of)
      .choices(namesOf<Generation>())
      .searched();
}

/// "heap": of the GC.
template <class Row, class Of>
ColumnOf<Row> heapColumn(Of of) {
  return idColumn<Row>("heap", "Heap", "Number of the GC's heap; 0 without server GC.", of);
}

/// "methodDesc": of a method.
template <class Row, class Of>
ColumnOf<Row> methodDescColumn(Of of) {
  return addressColumn<Row>("methodDesc", "MethodDesc", "Address of the runtime's MethodDesc.", of).searched();
}

}  // namespace heapscape::engine
