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
  return row.side == HttpSide::Client ? u"Client"_s : u"Server"_s;
}

QString httpStateText(const HttpRequestRow& row) {
  switch (row.state) {
    case HttpState::WaitsForConnection:
      return u"waits for a connection"_s;
    case HttpState::WaitsForHeaders:
      return u"waits for an answer"_s;
    case HttpState::ReadsResponse:
      return u"reads the answer"_s;
    case HttpState::Handled:
      return u"is worked on"_s;
    case HttpState::Answering:
      break;
  }
  return u"is answered"_s;
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
      {.name = u"Client"_s, .tip = u"The program has asked, by HttpClient."_s},
      {.name = u"Server"_s, .tip = u"The program is asked, by Kestrel."_s},
  };
  schema.kindOf = [](const HttpRequestRow& row) { return static_cast<std::size_t>(row.side); };
  schema.identity = [](const HttpRequestRow& row) { return row.object; };
  return schema;
}

}  // namespace heapscape::gui
