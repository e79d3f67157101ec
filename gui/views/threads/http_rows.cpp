// SPDX-License-Identifier: MIT
#include <QObject>

#include "models/cells/words_delegate.h"
#include "tables/http_tables.h"
#include "views/threads/thread_lists.h"

namespace heapscape::gui {

namespace {

using engine::HttpRequestRow;
using engine::HttpSide;
using engine::HttpState;

QString sideText(const HttpRequestRow& row) {
  return row.side == HttpSide::Client ? QStringLiteral("Client") : QStringLiteral("Server");
}

QString httpStateText(const HttpRequestRow& row) {
  switch (row.state) {
    case HttpState::WaitsForConnection:
      return QStringLiteral("waits for a connection");
    case HttpState::WaitsForHeaders:
      return QStringLiteral("waits for an answer");
    case HttpState::ReadsResponse:
      return QStringLiteral("reads the answer");
    case HttpState::Handled:
      return QStringLiteral("is worked on");
    case HttpState::Answering:
      break;
  }
  return QStringLiteral("is answered");
}

}  // namespace

RowSchema<HttpRequestRow> httpSchema() {
  RowSchema<HttpRequestRow> schema{.table = &engine::httpTable()};
  schema.columns = {
      {.setup = {.field = "side", .letters = 8}, .words = sideText},
      {.setup = {.field = "state", .letters = 25}, .words = httpStateText},
      {.setup = {.field = "method", .letters = 8}},
      {.setup = {.field = "host", .letters = 22}},
      {.setup = {.field = "path", .letters = 26, .stretches = true}},
      {.setup = {.field = "status", .letters = 7, .hidesZero = true}},
      {.setup = {.field = "milliseconds", .letters = 12, .hidesZero = true}},
      {.setup = {.field = "threads", .letters = 9},
       .words = [](const HttpRequestRow& row) { return idsText(row.threads); }},
      {.setup = {.field = "chain", .letters = 28},
       .words = [](const HttpRequestRow& row) { return wordsText(row.chain); }},
      {.setup = {.field = "waitsFor", .letters = 24}},
      {.setup = {.field = "endpoint", .letters = 22}},
      {.setup = {.field = "object"}, .object = &HttpRequestRow::object},
  };
  schema.kinds = {
      {.name = QStringLiteral("Client"), .tip = QStringLiteral("The program has asked, by HttpClient.")},
      {.name = QStringLiteral("Server"), .tip = QStringLiteral("The program is asked, by Kestrel.")},
  };
  schema.kindOf = [](const HttpRequestRow& row) { return static_cast<std::size_t>(row.side); };
  schema.identity = [](const HttpRequestRow& row) { return row.object; };
  return schema;
}

}  // namespace heapscape::gui
