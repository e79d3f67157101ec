// SPDX-License-Identifier: MIT
#include "views/layouts/layout_column.h"

#include <utility>

#include "layout/advice/layout_difference.h"

namespace heapscape::gui {

using engine::LayoutItems;

namespace {

std::shared_ptr<const LayoutItems> objectItems(const engine::TypeLayout& layout, std::optional<std::uint64_t> length) {
  return std::make_shared<const LayoutItems>(buildLayoutItems(layout, false, engine::FieldRows::ByTheirEnds, length));
}

}  // namespace

LayoutColumn prepareColumn(const ColumnKey& key, engine::LayoutVariant variant) {
  LayoutColumn column{key, std::move(variant), nullptr, nullptr};
  column.object = objectItems(column.layout(), std::nullopt);
  if (column.layout().valueSize) {
    column.unboxed = std::make_shared<const LayoutItems>(buildLayoutItems(column.layout(), true));
  }
  return column;
}

void PreparedLayout::setLength(std::optional<std::uint64_t> lengthOfPicked) {
  if (length == lengthOfPicked) return;
  length = lengthOfPicked;
  for (LayoutColumn& column : columns) column.object = objectItems(column.layout(), length);
}

void PreparedLayout::addColumn(LayoutColumn column) {
  if (length) column.object = objectItems(column.layout(), length);
  columns.push_back(std::move(column));
}

engine::LayoutQuestion questionFor(const ColumnKey& key) {
  engine::LayoutQuestion question;
  question.rules = key.rules;
  if (key.pack > 0) question.pack = key.pack;
  if (key.runtime > 0) question.runtimeMajor = key.runtime;
  return question;
}

PreparedLayout prepareLayout(engine::TypeLayout layout, const TypePopulation& population) {
  PreparedLayout prepared;
  prepared.population = population;
  engine::LayoutVariant actual;
  actual.question.rules = engine::RuleSet::Actual;
  actual.layout = std::move(layout);
  prepared.columns.push_back(prepareColumn({}, std::move(actual)));
  return prepared;
}

PreparedLayout prepareStudy(engine::TypeStudy study, const TypePopulation& population) {
  PreparedLayout prepared;
  prepared.population = population;
  if (study.onHeap) prepared.population.arrays = study.onHeap->arrays;
  prepared.type = study.type.id;
  for (engine::LayoutVariant& variant : study.layouts) {
    const ColumnKey key{variant.question.rules, 0, 0};
    prepared.columns.push_back(prepareColumn(key, std::move(variant)));
  }
  prepared.best = std::move(study.best);
  prepared.advice = std::move(study.advice);
  prepared.whyNotAsDeclared = std::move(study.whyNotAsDeclared);
  return prepared;
}

bool isSameLayout(const engine::TypeLayout& left, const engine::TypeLayout& right) {
  return engine::compareLayouts(left, right).isSame;
}

}  // namespace heapscape::gui
