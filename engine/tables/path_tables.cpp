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
      TableOf<Row>{
          "steps",
          {addressColumn<Row>("object", "Object", "The object on the way.", [](const Row& r) { return r.step.object; })
               .searched(),
           objectTypeColumn<Row>(&Row::type),
           textColumn<Row>("via", "Through", "Field or element of the object before that refers to this one.",
                           [](const Row& r) { return r.step.via; })
               .searched(),
           retainedColumn<Row>([](const Row& r) { return r.step.retainedBytes; }),
           countColumn<Row>("step", "Step", "The how manieth on the way.", &Row::number).hidingZero().notInJson()}}
          .about("object")
          .onOneLine();
  return table;
}

}  // namespace heapscape::engine
