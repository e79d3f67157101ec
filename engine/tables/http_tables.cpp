// SPDX-License-Identifier: MIT
#include "tables/http_tables.h"

#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

std::vector<ColumnOf<HttpRequestRow>> httpColumns() {
  using Row = HttpRequestRow;
  const auto text = [](std::string_view name, std::string_view title, std::string_view meaning,
                       std::string Row::*member) {
    return textColumn<Row>(name, title, meaning, member).searched().contents();
  };
  return {
      choiceColumn<Row>("side", "Side", "Whether the program has asked, by HttpClient, or is asked, by Kestrel.",
                        &Row::side)
          .searched(),
      choiceColumn<Row>("state", "State", "How far it has come.", &Row::state).searched(),
      textColumn<Row>("method", "Method", "GET, POST and so on.", &Row::method).searched(),
      textColumn<Row>("scheme", "Scheme", "http or https.", &Row::scheme).searched(),
      text("host", "Host", "With the port, as it is written.", &Row::host),
      text("path", "Path", "Of the address.", &Row::path),
      text("query", "Query", "Of the address, with its question mark.", &Row::query),
      textColumn<Row>("version", "HTTP", "Version of the protocol; of a client what it asks for.", &Row::version),
      idColumn<Row>("status", "Status", "Of the answer, once its headers are there.",
                    [](const Row& r) { return r.status ? Cell(*r.status) : Cell(); }),
      textColumn<Row>("endpoint", "Endpoint", "Of a server: what routing chose.",
                      [](const Row& r) { return r.endpoint.empty() ? Cell() : Cell(r.endpoint); })
          .searched(),
      wordsColumn<Row>("threads", "Threads", "Managed ids of threads that work on it.", &Row::threads),
      wordsColumn<Row>("chain", "Async methods", "Those that wait for each other for it, innermost first.", &Row::chain)
          .searched()
          .between(" ← "),
      typeColumn<Row>("waitsFor", "Waits for", "What the innermost of these methods waits for.", &Row::waitsFor)
          .searched(),
      countColumn<Row>(
          "milliseconds", "Milliseconds",
          "For at least so long it has been under way, as objects show it: of a client by its time-out, of a server by "
          "what hosting notes for logs and metrics.",
          [](const Row& r) { return r.milliseconds ? Cell(static_cast<std::uint64_t>(*r.milliseconds)) : Cell(); }),
      addressColumn<Row>("connection", "Connection", "The connection's object.",
                         [](const Row& r) { return r.connection ? Cell(r.connection) : Cell(); })
          .searched(),
      textColumn<Row>("connectionId", "Connection id", "Of a server: as it is in logs.",
                      [](const Row& r) { return r.connectionId.empty() ? Cell() : Cell(r.connectionId); })
          .searched(),
      idColumn<Row>("stream", "Stream", "Its number on a connection of HTTP/2.",
                    [](const Row& r) { return r.stream ? Cell(*r.stream) : Cell(); }),
      addressColumn<Row>("object", "Object", "The HttpRequestMessage, or Kestrel's object for the request.",
                         &Row::object)
          .searched(),
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
