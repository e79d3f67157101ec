// SPDX-License-Identifier: MIT
#include "tables/exception_tables.h"

#include "tables/common_columns.h"

namespace heapscape::engine {

const TableOf<ExceptionRow>& exceptionsTable() {
  using Row = ExceptionRow;
  static const TableOf<ExceptionRow> table = TableOf<ExceptionRow>{
      "exceptions",
      {
          countColumn<Row>("count", "Count", "How many are equal.", &Row::count).additive(),
          typeColumn<Row>("type", "Type", "Type of the exception.", &Row::typeName).searched(),
          textColumn<Row>("message", "Message", "What it says.", &Row::message).searched().contents(),
          idColumn<Row>("hresult", "HResult", "Its number.",
                        [](const Row& r) { return static_cast<std::uint32_t>(r.hresult); })
              .hex(),
          flagColumn<Row>("thrown", "Thrown",
                          "It was thrown, and has the stack of that; else it was only made, or its trace is gone.",
                          &Row::isThrown),
          typeColumn<Row>("method", "Thrown in", "Method of the innermost frame.",
                          [](const Row& r) { return r.isThrown ? Cell(r.method) : Cell(); })
              .searched(),
          textColumn<Row>("file", "File", "Of the source of the innermost frame, as the PDB has it.",
                          [](const Row& r) { return r.file.empty() ? Cell() : Cell(r.file); })
              .searched(),
          idColumn<Row>("line", "Line", "In that file.", [](const Row& r) { return r.line ? Cell(r.line) : Cell(); })
              .hidingZero(),
          countColumn<Row>("frames", "Frames", "Of the stack trace of the first.", &Row::frames).hidingZero(),
          typeColumn<Row>("innerType", "Caused by", "Type of the exception inside of it.", &Row::innerType).searched(),
          wordsColumn<Row>("threads", "In flight on",
                           "Managed ids of threads that are not done with it: it is on its way, or its handler "
                           "runs.",
                           &Row::threads),
          countColumn<Row>("unreachable", "Unreachable", "How many of them nothing holds any more.", &Row::unreachable)
              .additive()
              .hidingZero(),
          addressColumn<Row>("object", "Object", "One of them, which is in flight if any is.", &Row::object).searched(),
          methodTableColumn<Row>(&Row::methodTable),
      },
      {"count", "type", "message", "threads", "method", "file", "line", "innerType", "unreachable", "object"},
      {"count", "type", "message", "hresult", "thrown", "method", "file", "line", "frames", "innerType", "threads",
       "unreachable", "object"}}.about("object");
  return table;
}

}  // namespace heapscape::engine
