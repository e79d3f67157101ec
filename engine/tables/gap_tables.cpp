// SPDX-License-Identifier: MIT
#include "tables/gap_tables.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

Cell survivalOf(const GenerationFigures& row) {
  const bool isKnown = row.budget && std::isfinite(row.budget->survival);
  return isKnown ? Cell(static_cast<double>(row.budget->survival)) : Cell(Cell::Unknown{});
}

std::vector<ColumnOf<GenerationFigures>> generationFigureColumns() {
  using Row = GenerationFigures;
  const auto of = [](auto member) { return [member](const Row& r) { return r.gaps.*member; }; };
  const auto ofBudget = [](auto member) {
    return [member](const Row& r) { return r.budget ? Cell((*r.budget).*member) : Cell(Cell::Unknown{}); };
  };
  return {heapColumn<Row>(of(&GenerationGaps::heap)),
          generationColumn<Row>(of(&GenerationGaps::generation)),
          column<Row>({.name = "budget",
                       .title = "Budget",
                       .meaning = "What may be allocated until it is collected; from the GC's data.",
                       .kind = ColumnKind::Bytes},
                      ofBudget(&GenerationBudget::budgetBytes)),
          column<Row>({.name = "budgetLeft",
                       .title = "Left",
                       .meaning = "Of the budget; negative where it was exceeded.",
                       .kind = ColumnKind::SavedBytes},
                      ofBudget(&GenerationBudget::budgetLeftBytes)),
          column<Row>({.name = "survival",
                       .title = "Survival",
                       .meaning = "Part of the bytes that survived its last collection, 0 to 1.",
                       .kind = ColumnKind::Share},
                      survivalOf),
          column<Row>({.name = "survivedBytes",
                       .title = "Survived",
                       .meaning = "Bytes that survived its last collection.",
                       .kind = ColumnKind::Bytes},
                      ofBudget(&GenerationBudget::survivedBytes)),
          column<Row>({.name = "pinnedSurvivedBytes",
                       .title = "Survived pinned",
                       .meaning = "Of these, bytes of pinned objects.",
                       .kind = ColumnKind::Bytes},
                      ofBudget(&GenerationBudget::pinnedSurvivedBytes)),
          column<Row>({.name = "promotedBytes",
                       .title = "Promoted",
                       .meaning = "Bytes that its last collection has promoted.",
                       .kind = ColumnKind::Bytes},
                      ofBudget(&GenerationBudget::promotedBytes)),
          column<Row>({.name = "sizeAfterLast",
                       .title = "After the last",
                       .meaning = "Its bytes after its last collection, without free objects.",
                       .kind = ColumnKind::Bytes},
                      ofBudget(&GenerationBudget::sizeBytes)),
          column<Row>({.name = "fragmentationAfterLast",
                       .title = "Free after the last",
                       .meaning = "Bytes of free objects after its last collection.",
                       .kind = ColumnKind::Bytes},
                      ofBudget(&GenerationBudget::fragmentationBytes)),
          column<Row>({.name = "lastCollection",
                       .title = "Last collection",
                       .meaning = "Number of the last collection that took it.",
                       .kind = ColumnKind::Id},
                      ofBudget(&GenerationBudget::gcClock)),
          column<Row>({.name = "bytes",
                       .title = "Bytes",
                       .meaning = "Objects and the free objects between them.",
                       .kind = ColumnKind::Bytes,
                       .isAdditive = true,
                       .hidesZero = true},
                      of(&GenerationGaps::bytes)),
          column<Row>({.name = "fragmentation",
                       .title = "Free",
                       .meaning = "Fragmentation: bytes of free objects.",
                       .kind = ColumnKind::Bytes,
                       .isAdditive = true,
                       .hidesZero = true},
                      of(&GenerationGaps::freeBytes)),
          column<Row>({.name = "gaps",
                       .title = "Free objects",
                       .meaning = "Free objects of all sizes.",
                       .kind = ColumnKind::Count,
                       .hidesZero = true},
                      of(&GenerationGaps::gaps)),
          column<Row>({.name = "largestGap",
                       .title = "Largest free",
                       .meaning = "Bytes of the largest free object.",
                       .kind = ColumnKind::Bytes,
                       .hidesZero = true},
                      of(&GenerationGaps::largestGapBytes)),
          column<Row>({.name = "share",
                       .title = "Share",
                       .meaning = "Free bytes of all, 0 to 1.",
                       .kind = ColumnKind::Share,
                       .isInJson = false},
                      [](const Row& r) {
                        return r.gaps.bytes ? static_cast<double>(r.gaps.freeBytes) / static_cast<double>(r.gaps.bytes)
                                            : 0;
                      })};
}

std::vector<ColumnOf<GapNeighbour>> neighbourColumns() {
  using Row = GapNeighbour;
  return {column<Row>({.name = "type",
                       .title = "Type",
                       .meaning = "Of the objects that stand right behind free objects.",
                       .kind = ColumnKind::TypeName,
                       .isSearched = true},
                      &Row::typeName),
          column<Row>({.name = "methodTable",
                       .title = "Method table",
                       .meaning = "Address of its method table.",
                       .kind = ColumnKind::Address},
                      &Row::methodTable),
          column<Row>({.name = "gaps", .title = "Free objects", .meaning = "That they end.", .kind = ColumnKind::Count},
                      &Row::gaps),
          column<Row>({.name = "gapBytes",
                       .title = "Free before",
                       .meaning = "Bytes of these free objects.",
                       .kind = ColumnKind::Bytes,
                       .isAdditive = true},
                      &Row::gapBytes),
          column<Row>({.name = "objectBytes",
                       .title = "Own bytes",
                       .meaning = "Of the objects that stand there.",
                       .kind = ColumnKind::Bytes},
                      &Row::objectBytes),
          column<Row>({.name = "pinned",
                       .title = "Pinned",
                       .meaning = "Of these objects, by a handle or a stack.",
                       .kind = ColumnKind::Count,
                       .hidesZero = true},
                      &Row::pinned),
          column<Row>({.name = "example",
                       .title = "Example",
                       .meaning = "Behind the largest free object.",
                       .kind = ColumnKind::Address,
                       .isSearched = true},
                      &Row::example)};
}

const TableOf<GapNeighbour>& neighboursTable() {
  static const TableOf<GapNeighbour> table = TableOf<GapNeighbour>{"betweenGaps", neighbourColumns()}.onOneLine();
  return table;
}

std::vector<ColumnOf<GapRow>> gapColumns() {
  using Row = GapRow;
  std::vector<ColumnOf<Row>> columns{column<Row>({.name = "generation",
                                                  .title = "Generation",
                                                  .meaning = "Generation that they lie in, or the heap beside them.",
                                                  .kind = ColumnKind::Choice,
                                                  .choices = namesOf<Generation>(),
                                                  .isSearched = true},
                                                 &Row::generation),
                                     heapColumn<Row>(&Row::heap)};
  std::ranges::move(columnsOfPart(neighbourColumns(), &Row::neighbour), std::back_inserter(columns));
  return columns;
}

}  // namespace

std::vector<GenerationFigures> listGenerationFigures(const GcReport& report) {
  std::vector<GenerationFigures> rows;
  for (const GenerationGaps& gaps : report.gaps) {
    const GenerationBudget* budget = report.budgetOf(gaps.heap, gaps.generation);
    rows.push_back({gaps, budget ? std::optional(*budget) : std::nullopt});
  }
  return rows;
}

const TableOf<GenerationFigures>& generationFiguresTable() {
  using Row = GenerationFigures;
  static const TableOf<Row> table =
      TableOf<Row>{"generations",
                   generationFigureColumns(),
                   {"generation", "heap", "bytes", "fragmentation", "share", "gaps", "largestGap", "budget",
                    "budgetLeft", "survival"}}
          .onOneLine()
          .having([](const Row& row) { return std::vector{neighboursTable().with(row.gaps.neighbours)}; });
  return table;
}

std::vector<GapRow> listGaps(const GcReport& report) {
  std::vector<GapRow> rows;
  for (const GenerationGaps& gaps : report.gaps)
    for (const GapNeighbour& neighbour : gaps.neighbours) rows.push_back({gaps.generation, gaps.heap, neighbour});
  return rows;
}

const TableOf<GapRow>& gapsTable() {
  static const TableOf<GapRow> table{
      "gaps", gapColumns(), {"generation", "heap", "type", "gaps", "gapBytes", "objectBytes", "pinned", "example"}};
  return table;
}

}  // namespace heapscape::engine
