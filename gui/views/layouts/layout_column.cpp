// SPDX-License-Identifier: MIT
#include "views/layouts/layout_column.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "layout/advice/layout_difference.h"
#include "session/objects/array_lengths.h"
#include "widgets/text/figures.h"

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

namespace {

using engine::LayoutUnit;
using engine::RuleSet;
using engine::TypeLayout;

QString paddingFact(const TypeLayout& layout) {
  const std::uint64_t padding = layout.unitLayout().paddingBytes();
  if (padding == 0) return u"no padding"_s;
  const std::uint64_t whole = layout.unitBytes();
  return u"%1 padding · %2 of %3"_s.arg(bytesText(padding), percentText(padding, whole), bytesText(whole));
}

QString figureText(std::int64_t bytes, QString (*text)(std::uint64_t)) {
  return text(static_cast<std::uint64_t>(std::abs(bytes)));
}

QString unitFact(const TypeLayout& layout, const ColumnSaving& saving) {
  if (saving.perUnit == 0) return u"the same size"_s;
  const QString bytes = figureText(saving.perUnit, bytesText);
  const bool isLess = saving.perUnit > 0;
  switch (layout.unit()) {
    case LayoutUnit::Object:
      return isLess ? u"saves %1 an object"_s.arg(bytes) : u"%1 more an object"_s.arg(bytes);
    case LayoutUnit::Value:
      return isLess ? u"saves %1 a value"_s.arg(bytes) : u"%1 more a value"_s.arg(bytes);
    case LayoutUnit::Element:
      break;
  }
  return isLess ? u"saves %1 an element"_s.arg(bytes) : u"%1 more an element"_s.arg(bytes);
}

QString heapFact(const TypeLayout& layout, const ColumnSaving& saving, const TypePopulation& population) {
  const QString bytes = figureText(saving.overHeap, bytesText);
  switch (layout.unit()) {
    case LayoutUnit::Object:
      return u"%1 in %2"_s.arg(bytes, countedText(population.objects, u"object"_s));
    case LayoutUnit::Value:
      return u"%1 in %2 alone"_s.arg(bytes, countedText(population.objects, u"box"_s, u"boxes"_s));
    case LayoutUnit::Element:
      break;
  }
  return u"%1 in %2"_s.arg(bytes, countedText(population.objects, u"array"_s));
}

QString savingTip(const ColumnSaving& saving, const TypePopulation& population) {
  const QString count = countedText(population.objects, u"object"_s);
  return saving.overHeap >= 0 ? u"%1 less in the heap's %2 of exactly this type"_s.arg(
                                    figureText(saving.overHeap, exactBytesText), count)
                              : u"%1 more in the heap's %2 of exactly this type"_s.arg(
                                    figureText(saving.overHeap, exactBytesText), count);
}

void addSaving(DiagramColumn& drawn, const TypeLayout& base, const TypeLayout& layout,
               const TypePopulation& population) {
  const ColumnSaving saving = savingOf(base, layout, population);
  drawn.facts << unitFact(layout, saving);
  drawn.isGain = saving.perUnit > 0;
  if (saving.overHeap == 0) return;
  drawn.facts << heapFact(layout, saving, population);
  drawn.tip += QLatin1Char('\n') + savingTip(saving, population) + QLatin1Char('\n') +
               u"What arrays, other objects and derived classes hold of it is counted under Waste."_s;
}

QString lengthFact(const TypeLayout& layout, std::uint64_t length) {
  const bool isString = layout.kind == engine::TypeKind::String;
  return u"the picked one: %1"_s.arg(countedText(length, isString ? u"character"_s : u"element"_s));
}

QString figureOf(const TypeLayout& layout, bool isUnboxed) {
  if (layout.unit() == LayoutUnit::Element) return u"%1 an element"_s.arg(bytesText(layout.unitBytes()));
  return bytesText(isUnboxed ? layout.unitBytes() : layout.baseSize);
}

DiagramColumn drawnColumn(const PreparedLayout& prepared, const LayoutColumn& column, bool isUnboxed) {
  const TypeLayout& layout = column.layout();
  DiagramColumn drawn;
  drawn.figure = figureOf(layout, isUnboxed);
  drawn.items = isUnboxed && column.unboxed ? column.unboxed : column.object;
  drawn.tip = columnTip(column.key);
  if (!column.variant.remark.empty()) drawn.tip += QLatin1Char('\n') + fromEngine(column.variant.remark);
  if (prepared.length) drawn.facts << lengthFact(layout, *prepared.length);
  if (layout.componentSize == 0 || !layout.elementLayout.empty()) drawn.facts << paddingFact(layout);
  if (&column != &prepared.base()) addSaving(drawn, prepared.layout(), layout, prepared.population);
  return drawn;
}

}  // namespace

QString columnName(const ColumnKey& key) {
  if (key.pack > 0) return u"Pack %1"_s.arg(key.pack);
  if (key.runtime > 0) return u".NET %1"_s.arg(key.runtime);
  switch (key.rules) {
    case RuleSet::Actual:
      return u"Actual"_s;
    case RuleSet::Declared:
      return u"Declared"_s;
    case RuleSet::Auto:
      return u"Auto"_s;
    case RuleSet::Sequential:
      return u"Sequential"_s;
    case RuleSet::Best:
      return u"Best"_s;
    case RuleSet::Classic:
      return u"Classic"_s;
  }
  return {};
}

QString columnTip(const ColumnKey& key) {
  if (key.pack > 0) return u"As if it declared Pack = %1: no field is aligned to more than that"_s.arg(key.pack);
  if (key.runtime > 0) return u"As declared, by the rules of .NET %1"_s.arg(key.runtime);
  switch (key.rules) {
    case RuleSet::Actual:
      return u"As the runtime of this dump has laid it out"_s;
    case RuleSet::Declared:
      return u"As its declaration says, by the runtime's rules"_s;
    case RuleSet::Auto:
      return u"As if it declared LayoutKind.Auto"_s;
    case RuleSet::Sequential:
      return u"As if it declared LayoutKind.Sequential"_s;
    case RuleSet::Best:
      return u"The fewest bytes that an order of its own fields and an attribute can give"_s;
    case RuleSet::Classic:
      return u"By the rules before .NET 7, which many articles still show"_s;
  }
  return {};
}

ColumnSaving savingOf(const TypeLayout& base, const TypeLayout& other, const TypePopulation& population) {
  ColumnSaving saving;
  saving.perUnit = std::int64_t{base.unitBytes()} - std::int64_t{other.unitBytes()};
  const engine::TypeOnHeap onHeap{population.objects, population.arrays};
  saving.overHeap = static_cast<std::int64_t>(onHeap.bytesBy(base) - onHeap.bytesBy(other));
  return saving;
}

std::vector<AlikeColumns> groupAlike(const std::vector<const LayoutColumn*>& columns) {
  std::vector<AlikeColumns> groups;
  for (const LayoutColumn* column : columns) {
    const auto isAlike = [column](const AlikeColumns& group) {
      return isSameLayout(group.front()->layout(), column->layout());
    };
    const auto group = std::ranges::find_if(groups, isAlike);
    if (group == groups.end()) {
      groups.push_back({column});
    } else {
      group->push_back(column);
    }
  }
  return groups;
}

QString columnNames(const AlikeColumns& columns) {
  QStringList names;
  for (const LayoutColumn* column : columns) names << columnName(column->key);
  return names.join(u" = "_s);
}

std::vector<DiagramColumn> diagramColumns(const PreparedLayout& layout, const std::vector<AlikeColumns>& columns,
                                          bool isUnboxed) {
  std::vector<DiagramColumn> drawn;
  for (const AlikeColumns& alike : columns) {
    DiagramColumn column = drawnColumn(layout, *alike.front(), isUnboxed);
    column.title = columnNames(alike);
    for (const LayoutColumn* other : alike) {
      if (other == alike.front() || other->variant.remark.empty()) continue;
      column.tip += u"\n%1: %2"_s.arg(columnName(other->key), fromEngine(other->variant.remark));
    }
    drawn.push_back(std::move(column));
  }
  return drawn;
}

}  // namespace heapscape::gui
