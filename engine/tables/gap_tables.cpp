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
  return {
      heapColumn<Row>(of(&GenerationGaps::heap)),
      generationColumn<Row>(of(&GenerationGaps::generation)),
      bytesColumn<Row>("budget", "Budget", "What may be allocated until it is collected; from the GC's data.",
                       ofBudget(&GenerationBudget::budgetBytes)),
      savedBytesColumn<Row>("budgetLeft", "Left", "Of the budget; negative where it was exceeded.",
                            ofBudget(&GenerationBudget::budgetLeftBytes)),
      shareColumn<Row>("survival", "Survival", "Part of the bytes that survived its last collection, 0 to 1.",
                       survivalOf),
      bytesColumn<Row>("survivedBytes", "Survived", "Bytes that survived its last collection.",
                       ofBudget(&GenerationBudget::survivedBytes)),
      bytesColumn<Row>("pinnedSurvivedBytes", "Survived pinned", "Of these, bytes of pinned objects.",
                       ofBudget(&GenerationBudget::pinnedSurvivedBytes)),
      bytesColumn<Row>("promotedBytes", "Promoted", "Bytes that its last collection has promoted.",
                       ofBudget(&GenerationBudget::promotedBytes)),
      bytesColumn<Row>("sizeAfterLast", "After the last", "Its bytes after its last collection, without free objects.",
                       ofBudget(&GenerationBudget::sizeBytes)),
      bytesColumn<Row>("fragmentationAfterLast", "Free after the last",
                       "Bytes of free objects after its last collection.",
                       ofBudget(&GenerationBudget::fragmentationBytes)),
      idColumn<Row>("lastCollection", "Last collection", "Number of the last collection that took it.",
                    ofBudget(&GenerationBudget::gcClock)),
      bytesColumn<Row>("bytes", "Bytes", "Objects and the free objects between them.", of(&GenerationGaps::bytes))
          .additive()
          .hidingZero(),
      bytesColumn<Row>("fragmentation", "Free", "Fragmentation: bytes of free objects.", of(&GenerationGaps::freeBytes))
          .additive()
          .hidingZero(),
      countColumn<Row>("gaps", "Free objects", "Free objects of all sizes.", of(&GenerationGaps::gaps)).hidingZero(),
      bytesColumn<Row>("largestGap", "Largest free", "Bytes of the largest free object.",
                       of(&GenerationGaps::largestGapBytes))
          .hidingZero(),
      shareColumn<Row>("share", "Share", "Free bytes of all, 0 to 1.", [](const Row& r) {
        return r.gaps.bytes ? static_cast<double>(r.gaps.freeBytes) / static_cast<double>(r.gaps.bytes) : 0;
      }).notInJson()};
}

std::vector<ColumnOf<GapNeighbour>> neighbourColumns() {
  using Row = GapNeighbour;
  return {typeColumn<Row>("type", "Type", "Of the objects that stand right behind free objects.", &Row::typeName)
              .searched(),
          addressColumn<Row>("methodTable", "Method table", "Address of its method table.", &Row::methodTable),
          countColumn<Row>("gaps", "Free objects", "That they end.", &Row::gaps),
          bytesColumn<Row>("gapBytes", "Free before", "Bytes of these free objects.", &Row::gapBytes).additive(),
          bytesColumn<Row>("objectBytes", "Own bytes", "Of the objects that stand there.", &Row::objectBytes),
          countColumn<Row>("pinned", "Pinned", "Of these objects, by a handle or a stack.", &Row::pinned).hidingZero(),
          addressColumn<Row>("example", "Example", "Behind the largest free object.", &Row::example).searched()};
}

const TableOf<GapNeighbour>& neighboursTable() {
  static const TableOf<GapNeighbour> table = TableOf<GapNeighbour>{"betweenGaps", neighbourColumns()}.onOneLine();
  return table;
}

std::vector<ColumnOf<GapRow>> gapColumns() {
  using Row = GapRow;
  std::vector<ColumnOf<Row>> columns{
      choiceColumn<Row>("generation", "Generation", "Generation that they lie in, or the heap beside them.",
                        &Row::generation)
          .searched(),
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
