// SPDX-License-Identifier: MIT
#include "views/findings/finding_rows.h"

#include <QObject>

#include "widgets/text/figures.h"
#include "widgets/text/finding_text.h"

namespace heapscape::gui {

namespace {

constexpr std::size_t kKinds = static_cast<std::size_t>(engine::FindingKind::NamesCut) + 1;

}  // namespace

RowSchema<FindingRow> findingSchema() {
  RowSchema<FindingRow> schema;
  schema.columns = {
      {.setup = {.title = QObject::tr("Kind"), .letters = 34, .isSearched = true, .holdsContents = false},
       .words = [](const FindingRow& row) { return findingTitle(row.finding.kind); }},
      {.setup = {.title = QObject::tr("Address"), .look = ColumnLook::Address, .isSearched = true},
       .number = [](const FindingRow& row) { return row.finding.address.value; }},
      {.setup = {.title = QObject::tr("Found"), .letters = 14, .holdsContents = false},
       .words =
           [](const FindingRow& row) {
             return row.isOfCheck ? QObject::tr("by the check") : QObject::tr("on opening");
           }},
      {.setup = {.title = QObject::tr("What it is"), .stretches = true, .isSearched = true, .holdsContents = false},
       .words = [](const FindingRow& row) { return fromEngine(row.finding.message); }},
  };
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    schema.kinds.push_back({.name = findingTitle(static_cast<engine::FindingKind>(kind)), .tip = {}});
  }
  schema.kindOf = [](const FindingRow& row) { return static_cast<std::size_t>(row.finding.kind); };
  schema.identity = [](const FindingRow& row) { return row.finding.address; };
  return schema;
}

}  // namespace heapscape::gui
