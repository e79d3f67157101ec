// SPDX-License-Identifier: MIT
#include "tables/exception_tables.h"

#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

std::vector<ColumnOf<ExceptionRow>> exceptionColumns() {
  using Row = ExceptionRow;
  return {
      column<Row>({.name = "count",
                   .title = "Count",
                   .meaning = "How many are equal.",
                   .kind = ColumnKind::Count,
                   .isAdditive = true},
                  &Row::count),
      column<Row>({.name = "type",
                   .title = "Type",
                   .meaning = "Type of the exception.",
                   .kind = ColumnKind::TypeName,
                   .isSearched = true},
                  &Row::typeName),
      column<Row>({.name = "message",
                   .title = "Message",
                   .meaning = "What it says.",
                   .isSearched = true,
                   .holdsContents = true},
                  &Row::message),
      column<Row>(
          {.name = "hresult", .title = "HResult", .meaning = "Its number.", .kind = ColumnKind::Id, .isHex = true},
          [](const Row& r) { return static_cast<std::uint32_t>(r.hresult); }),
      column<Row>({.name = "thrown",
                   .title = "Thrown",
                   .meaning = "It was thrown, and has the stack of that; else it was only made, or its trace is gone.",
                   .kind = ColumnKind::Flag},
                  &Row::isThrown),
      column<Row>({.name = "method",
                   .title = "Thrown in",
                   .meaning = "Method of the innermost frame.",
                   .kind = ColumnKind::TypeName,
                   .isSearched = true},
                  [](const Row& r) { return r.isThrown ? Cell(r.method) : Cell(); }),
      column<Row>({.name = "file",
                   .title = "File",
                   .meaning = "Of the source of the innermost frame, as the PDB has it.",
                   .isSearched = true},
                  [](const Row& r) { return r.file.empty() ? Cell() : Cell(r.file); }),
      column<Row>(
          {.name = "line", .title = "Line", .meaning = "In that file.", .kind = ColumnKind::Id, .hidesZero = true},
          [](const Row& r) { return r.line ? Cell(r.line) : Cell(); }),
      column<Row>({.name = "frames",
                   .title = "Frames",
                   .meaning = "Of the stack trace of the first.",
                   .kind = ColumnKind::Count,
                   .hidesZero = true},
                  &Row::frames),
      column<Row>({.name = "innerType",
                   .title = "Caused by",
                   .meaning = "Type of the exception inside of it.",
                   .kind = ColumnKind::TypeName,
                   .isSearched = true},
                  &Row::innerType),
      column<Row>({.name = "threads",
                   .title = "In flight on",
                   .meaning = "Managed ids of threads that are not done with it: it is on its way, or its handler "
                              "runs.",
                   .kind = ColumnKind::Words},
                  &Row::threads),
      column<Row>({.name = "unreachable",
                   .title = "Unreachable",
                   .meaning = "How many of them nothing holds any more.",
                   .kind = ColumnKind::Count,
                   .isAdditive = true,
                   .hidesZero = true},
                  &Row::unreachable),
      column<Row>({.name = "object",
                   .title = "Object",
                   .meaning = "One of them, which is in flight if any is.",
                   .kind = ColumnKind::Address,
                   .isSearched = true},
                  &Row::object),
      methodTableColumn<Row>(&Row::methodTable),
  };
}

}  // namespace

const TableOf<ExceptionRow>& exceptionsTable() {
  static const TableOf<ExceptionRow> table = TableOf<ExceptionRow>{
      "exceptions",
      exceptionColumns(),
      {"count", "type", "message", "threads", "method", "file", "line", "innerType", "unreachable", "object"},
      {"count", "type", "message", "hresult", "thrown", "method", "file", "line", "frames", "innerType", "threads",
       "unreachable", "object"}}.about("object");
  return table;
}

}  // namespace heapscape::engine
