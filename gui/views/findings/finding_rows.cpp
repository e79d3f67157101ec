// SPDX-License-Identifier: MIT
#include "views/findings/finding_rows.h"

#include <QObject>

#include "models/cells/roles.h"
#include "tables/findings_table.h"
#include "widgets/text/figures.h"
#include "widgets/text/finding_text.h"

namespace heapscape::gui {

namespace {

constexpr std::size_t kKinds = static_cast<std::size_t>(engine::FindingKind::NamesCut) + 1;

}  // namespace

RowSchema<FindingRow> findingSchema() {
  static const engine::TableOf<FindingRow> table = engine::findingsTable().within(&FindingRow::finding);
  RowSchema<FindingRow> schema{.table = &table};
  schema.columns.push_back({.setup = {.field = "kind", .letters = 31},
                            .words = [](const FindingRow& row) { return findingTitle(row.finding.kind); }});
  schema.columns.push_back({.setup = {.field = "address"}});
  schema.columns.push_back(
      {.setup = {.title = u"Found"_s, .letters = 14, .isExtra = true, .holdsContents = false},
       .words = [](const FindingRow& row) { return row.isOfCheck ? u"by the check"_s : u"on opening"_s; }});
  schema.columns.push_back({.setup = {.field = "message", .stretches = true}, .more = [](const FindingRow&, int role) {
                              return role == kCutAtEndRole ? QVariant(true) : QVariant();  // a sentence
                            }});
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    schema.kinds.push_back({.name = findingTitle(static_cast<engine::FindingKind>(kind)), .tip = {}});
  }
  schema.kindOf = [](const FindingRow& row) { return static_cast<std::size_t>(row.finding.kind); };
  schema.identity = [](const FindingRow& row) { return row.finding.address; };
  return schema;
}

}  // namespace heapscape::gui
