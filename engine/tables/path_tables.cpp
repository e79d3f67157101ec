// SPDX-License-Identifier: MIT
#include "tables/path_tables.h"

#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

template <class Path>
std::vector<ListedStep> stepsOf(const Snapshot& snapshot, const Path& path) {
  std::vector<ListedStep> steps;
  std::uint64_t number = 0;
  for (const PathStep& step : path.steps) {
    if (path.stepsLeftOut && number == path.leftOutAfter) number += path.stepsLeftOut;
    ListedStep& listed = steps.emplace_back(ListedStep{.number = ++number, .step = step});
    if (step.type.isNone()) continue;
    listed.type = snapshot.typeName(step.type);
    listed.methodTable = snapshot.types()[step.type.value].methodTable;
  }
  return steps;
}

}  // namespace

std::vector<ListedStep> listSteps(const Snapshot& snapshot, const RootPath& path) {
  return stepsOf(snapshot, path);
}

std::vector<ListedStep> listSteps(const Snapshot& snapshot, const ObjectPath& path) {
  return stepsOf(snapshot, path);
}

const TableOf<ListedStep>& stepsTable() {
  using Row = ListedStep;
  static const TableOf<Row> table =
      TableOf<Row>{"steps",
                   {column<Row>({.name = "object",
                                 .title = "Object",
                                 .meaning = "The object on the way.",
                                 .kind = ColumnKind::Address,
                                 .isSearched = true},
                                [](const Row& r) { return r.step.object; }),
                    objectTypeColumn<Row>(&Row::type),
                    column<Row>({.name = "via",
                                 .title = "Through",
                                 .meaning = "Field or element of the object before that refers to this one.",
                                 .isSearched = true},
                                [](const Row& r) { return r.step.via; }),
                    retainedColumn<Row>([](const Row& r) { return r.step.retainedBytes; }),
                    column<Row>({.name = "step",
                                 .title = "Step",
                                 .meaning = "The how manieth on the way.",
                                 .kind = ColumnKind::Count,
                                 .hidesZero = true,
                                 .isInJson = false},
                                &Row::number)}}
          .about("object")
          .onOneLine();
  return table;
}

}  // namespace heapscape::engine
