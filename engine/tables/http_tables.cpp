// SPDX-License-Identifier: MIT
#include "tables/http_tables.h"

#include <array>

#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

std::vector<ColumnOf<HttpRequestRow>> httpColumns() {
  using Row = HttpRequestRow;
  const auto text = [](std::string_view name, std::string_view title, std::string_view meaning,
                       std::string Row::*member) {
    return column<Row>({.name = name, .title = title, .meaning = meaning, .isSearched = true, .holdsContents = true},
                       member);
  };
  return {
      column<Row>({.name = "side",
                   .title = "Side",
                   .meaning = "Whether the program has asked, by HttpClient, or is asked, by Kestrel.",
                   .kind = ColumnKind::Choice,
                   .choices = namesOf<HttpSide>(),
                   .isSearched = true},
                  &Row::side),
      column<Row>({.name = "state",
                   .title = "State",
                   .meaning = "How far it has come.",
                   .kind = ColumnKind::Choice,
                   .choices = namesOf<HttpState>(),
                   .isSearched = true},
                  &Row::state),
      column<Row>({.name = "method", .title = "Method", .meaning = "GET, POST and so on.", .isSearched = true},
                  &Row::method),
      column<Row>({.name = "scheme", .title = "Scheme", .meaning = "http or https.", .isSearched = true}, &Row::scheme),
      text("host", "Host", "With the port, as it is written.", &Row::host),
      text("path", "Path", "Of the address.", &Row::path),
      text("query", "Query", "Of the address, with its question mark.", &Row::query),
      column<Row>(
          {.name = "version", .title = "HTTP", .meaning = "Version of the protocol; of a client what it asks for."},
          &Row::version),
      column<Row>({.name = "status",
                   .title = "Status",
                   .meaning = "Of the answer, once its headers are there.",
                   .kind = ColumnKind::Id},
                  [](const Row& r) { return r.status ? Cell(*r.status) : Cell(); }),
      column<Row>(
          {.name = "endpoint", .title = "Endpoint", .meaning = "Of a server: what routing chose.", .isSearched = true},
          [](const Row& r) { return r.endpoint.empty() ? Cell() : Cell(r.endpoint); }),
      column<Row>({.name = "threads",
                   .title = "Threads",
                   .meaning = "Managed ids of threads that work on it.",
                   .kind = ColumnKind::Words},
                  &Row::threads),
      column<Row>({.name = "chain",
                   .title = "Async methods",
                   .meaning = "Those that wait for each other for it, innermost first.",
                   .kind = ColumnKind::Words,
                   .isSearched = true,
                   .between = " ← "},
                  &Row::chain),
      column<Row>({.name = "waitsFor",
                   .title = "Waits for",
                   .meaning = "What the innermost of these methods waits for.",
                   .kind = ColumnKind::TypeName,
                   .isSearched = true},
                  &Row::waitsFor),
      column<Row>(
          {.name = "milliseconds",
           .title = "Milliseconds",
           .meaning = "For at least so long it has been under way, as objects show it: of a client by its "
                      "time-out, of a server by what hosting notes for logs and metrics.",
           .kind = ColumnKind::Count},
          [](const Row& r) { return r.milliseconds ? Cell(static_cast<std::uint64_t>(*r.milliseconds)) : Cell(); }),
      column<Row>({.name = "connection",
                   .title = "Connection",
                   .meaning = "The connection's object.",
                   .kind = ColumnKind::Address,
                   .isSearched = true},
                  [](const Row& r) { return r.connection ? Cell(r.connection) : Cell(); }),
      column<Row>({.name = "connectionId",
                   .title = "Connection id",
                   .meaning = "Of a server: as it is in logs.",
                   .isSearched = true},
                  [](const Row& r) { return r.connectionId.empty() ? Cell() : Cell(r.connectionId); }),
      column<Row>({.name = "stream",
                   .title = "Stream",
                   .meaning = "Its number on a connection of HTTP/2.",
                   .kind = ColumnKind::Id},
                  [](const Row& r) { return r.stream ? Cell(*r.stream) : Cell(); }),
      column<Row>({.name = "object",
                   .title = "Object",
                   .meaning = "The HttpRequestMessage, or Kestrel's object for the request.",
                   .kind = ColumnKind::Address,
                   .isSearched = true},
                  &Row::object),
      objectTypeColumn<Row>(&Row::typeName),
  };
}

}  // namespace

const TableOf<HttpRequestRow>& httpTable() {
  static const TableOf<HttpRequestRow> table = TableOf<HttpRequestRow>{
      "http",
      httpColumns(),
      {"side", "state", "method", "scheme", "host", "path", "query", "status", "milliseconds", "threads", "waitsFor",
       "endpoint", "object"},
      {"side", "state", "method", "scheme", "host", "path", "query", "version", "status", "endpoint", "threads",
       "chain", "waitsFor", "milliseconds", "connection", "connectionId", "stream",
       "object"}}.about("object");
  return table;
}

}  // namespace heapscape::engine
