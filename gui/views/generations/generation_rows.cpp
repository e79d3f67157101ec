// SPDX-License-Identifier: MIT
#include "views/generations/generation_rows.h"

#include <QFont>
#include <QObject>
#include <algorithm>

#include "widgets/text/figures.h"
#include "widgets/text/heap_figures.h"

namespace heapscape::gui {
namespace {

using Row = GenerationLine;

std::uint64_t usedBytes(const Row& row) {
  return row.totals.bytes - row.totals.freeBytes;
}

engine::Cell shareOf(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? engine::Cell(engine::Cell::Unknown{})
                    : engine::Cell(static_cast<double>(part) / static_cast<double>(whole));
}

QString freeDetail(const Row& row) {
  return u"%1, free objects: %2"_s.arg(exactBytesText(row.totals.freeBytes), countText(row.totals.freeObjects));
}

QVariant lookOfRow(const Row& row, int role) {
  if (role == kEmptyRole) return row.totals.bytes == 0;
  if (role != Qt::FontRole || row.part) return {};
  QFont font;
  font.setWeight(QFont::DemiBold);
  return font;
}

QVariant lookOfName(const Row& row, int role) {
  if (role == kGenerationRole && row.part) return static_cast<int>(row.part->generation);
  return lookOfRow(row, role);
}

QString nameOf(const Row& row) {
  return row.part ? generationText(row.part->generation) : u"All"_s;
}

}  // namespace

RowSchema<Row> generationSchema() {
  RowSchema<Row> schema;
  schema.columns = {
      {.setup = {.title = u"Heap"_s, .kind = engine::ColumnKind::Id, .letters = 6, .hidesZero = true},
       .cell = [](const Row& row) { return row.part ? engine::Cell(row.part->heap) : engine::Cell(); },
       .words = [](const Row& row) { return row.part ? QString::number(row.part->heap) : QString(); }},
      {.setup = {.title = u"Generation"_s, .letters = 16, .stretches = true, .holdsContents = false},
       .words = nameOf,
       .more = lookOfName},
      {.setup = {.title = u"Objects"_s, .kind = engine::ColumnKind::Count, .letters = 16},
       .cell = [](const Row& row) { return row.totals.objects - row.totals.freeObjects; }},
      {.setup = {.title = u"Used"_s, .kind = engine::ColumnKind::Bytes}, .cell = usedBytes},
      {.setup = {.title = u"Free"_s, .kind = engine::ColumnKind::Bytes},
       .cell = [](const Row& row) { return row.totals.freeBytes; },
       .detail = freeDetail},
      {.setup = {.title = u"Free %"_s, .kind = engine::ColumnKind::Share},
       .cell = [](const Row& row) { return shareOf(row.totals.freeBytes, row.totals.bytes); },
       .detail = freeDetail},
      {.setup = {.title = u"Share of used"_s, .kind = engine::ColumnKind::Share, .letters = 14},
       .cell = [](const Row& row) { return shareOf(usedBytes(row), row.usedInAll); }},
  };
  for (RowColumn<Row>& column : schema.columns) {
    if (!column.more) column.more = lookOfRow;
  }
  return schema;
}

std::vector<Row> generationLines(const std::vector<engine::GenerationRow>& rows) {
  if (rows.empty()) return {};
  engine::ObjectTotals sum;
  for (const engine::GenerationRow& row : rows) sum += row.totals;
  const std::uint64_t used = sum.bytes - sum.freeBytes;
  std::vector<Row> figures;
  for (const engine::GenerationRow& row : rows) figures.push_back({row, row.totals, used});
  figures.push_back({std::nullopt, sum, used});
  return figures;
}

engine::HeapScope scopeOf(const std::vector<engine::GenerationRow>& rows, std::size_t line) {
  engine::HeapScope scope;
  if (line >= rows.size()) return scope;
  scope.generation = rows[line].generation;
  // With one heap the generation says it all.
  if (std::ranges::any_of(rows, [&](const engine::GenerationRow& other) { return other.heap != rows[line].heap; }))
    scope.heap = rows[line].heap;
  return scope;
}

}  // namespace heapscape::gui
