// SPDX-License-Identifier: MIT
#include "insight/comparison/owner_changes.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "insight/insight_tables.h"
#include "insight/trend/dump_sample.h"
#include "tables/common_columns.h"
#include "tables/root_tables.h"

namespace heapscape::engine {
namespace {

template <class Row, class Figures>
void addSide(std::map<std::pair<decltype(Row::kind), std::string>, Row>& rows, const std::vector<Figures>& figures,
             std::uint64_t Figures::*count, Change Row::*counts, std::uint64_t Change::*side) {
  for (const Figures& one : figures) {
    Row& row = rows[{one.kind, one.name}];
    row.kind = one.kind;
    row.name = one.name;
    (row.*counts).*side += one.*count;
    row.bytes.*side += one.bytes;
  }
}

template <class Row, class Figures>
std::vector<Row> changesOf(const std::vector<Figures>& before, const std::vector<Figures>& after,
                           std::uint64_t Figures::*count, Change Row::*counts) {
  std::map<std::pair<decltype(Row::kind), std::string>, Row> rows;
  addSide(rows, before, count, counts, &Change::before);
  addSide(rows, after, count, counts, &Change::after);
  std::vector<Row> changes;
  for (auto& [key, row] : rows) changes.push_back(std::move(row));
  std::ranges::stable_sort(changes, std::ranges::greater{}, [](const Row& row) { return row.bytes.difference(); });
  return changes;
}

template <class Row>
std::vector<ColumnOf<Row>> holderColumns(const char* counted, Change Row::*counts, const char* bytesBefore,
                                         const char* bytesAfter) {
  const auto side = [](Change Row::*of, std::uint64_t Change::*which) {
    return [of, which](const Row& row) { return row.*of.*which; };
  };
  const std::string what = counted;
  return {
      grownBytesColumn<Row>("growth", "Growth", "Bytes: after less before.",
                            [](const Row& row) { return row.bytes.difference(); }),
      bytesColumn<Row>("bytesBefore", "Before", bytesBefore, side(&Row::bytes, &Change::before)).hidingZero(),
      bytesColumn<Row>("bytesAfter", "After", bytesAfter, side(&Row::bytes, &Change::after)).hidingZero(),
      countColumn<Row>("countBefore", what + " before", what + " in the earlier dump.", side(counts, &Change::before))
          .hidingZero(),
      countColumn<Row>("countAfter", what + " after", what + " in the later dump.", side(counts, &Change::after))
          .hidingZero()};
}

}  // namespace

Outcome<HolderChanges> compareHolders(const Snapshot& before, const Snapshot& after, std::stop_token stop) {
  HolderChanges changes;
  const std::vector<OwnerFigures> ownersBefore = ownerFiguresOf(before);
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  changes.owners = changesOf(ownersBefore, ownerFiguresOf(after), &OwnerFigures::objects, &OwnerChange::objects);
  HEAPSCAPE_TRY(const std::vector<RootFigures> rootsBefore, rootFiguresOf(before, stop));
  HEAPSCAPE_TRY(const std::vector<RootFigures> rootsAfter, rootFiguresOf(after, stop));
  changes.roots = changesOf(rootsBefore, rootsAfter, &RootFigures::roots, &RootChange::roots);
  return changes;
}

const TableOf<OwnerChange>& ownerChangesTable() {
  using Row = OwnerChange;
  static const TableOf<Row> table{
      "owners",
      [] {
        std::vector<ColumnOf<Row>> columns{
            nameWithout<Row>("name", "Owner", "Static, type, thread or kind of handles.", &Row::name).searched(),
            ownerKindColumn<Row>(&Row::kind)};
        for (ColumnOf<Row>& column : holderColumns<Row>(
                 "Objects", &Row::objects, "Bytes in the earlier dump that it holds, and nobody nearer to them.",
                 "Bytes in the later dump that it holds, and nobody nearer to them."))
          columns.push_back(std::move(column));
        return columns;
      }(),
      {"growth", "bytesBefore", "bytesAfter", "kind", "name"}};
  return table;
}

const TableOf<RootChange>& rootChangesTable() {
  using Row = RootChange;
  static const TableOf<Row> table{
      "roots",
      [] {
        std::vector<ColumnOf<Row>> columns{
            nameWithout<Row>("name", "Root", "What roots of one name are called.", &Row::name).searched(),
            rootKindColumn<Row>(&Row::kind)};
        for (ColumnOf<Row>& column :
             holderColumns<Row>("Roots", &Row::roots, "What their objects retain in the earlier dump.",
                                "What their objects retain in the later dump."))
          columns.push_back(std::move(column));
        return columns;
      }(),
      {"growth", "bytesBefore", "bytesAfter", "kind", "name"}};
  return table;
}

}  // namespace heapscape::engine
