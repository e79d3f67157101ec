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
  question.withDeclaration = key.pack > 0;
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

/// "−98 KB", "+16 B".
QString changeText(std::int64_t saved, QString (*text)(std::uint64_t) = bytesText) {
  return (saved > 0 ? kMinus : QChar(u'+')) + text(static_cast<std::uint64_t>(std::abs(saved)));
}

QString unitFact(const TypeLayout& layout, const ColumnSaving& saving) {
  if (saving.perUnit == 0) return u"the same size"_s;
  switch (layout.unit()) {
    case LayoutUnit::Object:
      return u"%1 an object"_s.arg(changeText(saving.perUnit));
    case LayoutUnit::Value:
      return u"%1 a value"_s.arg(changeText(saving.perUnit));
    case LayoutUnit::Element:
      break;
  }
  return u"%1 an element"_s.arg(changeText(saving.perUnit));
}

/// "6,250 objects", "3 boxes", "2 arrays".
QString onHeapText(const TypeLayout& layout, const TypePopulation& population) {
  switch (layout.unit()) {
    case LayoutUnit::Object:
      return countedText(population.objects, u"object"_s);
    case LayoutUnit::Value:
      return countedText(population.objects, u"box"_s, u"boxes"_s);
    case LayoutUnit::Element:
      break;
  }
  return countedText(population.objects, u"array"_s);
}

QString effectText(const PreparedLayout& prepared, const ShownColumn& shown) {
  const TypePopulation& population = prepared.population;
  const TypeLayout& layout = prepared.layout();
  if (!population.hasHeap) return {};
  if (population.objects == 0) return u"none on this heap"_s;
  const QString where = u"on this heap (%1)"_s.arg(onHeapText(layout, population));
  if (shown.isInForce) {
    const engine::TypeOnHeap onHeap{population.objects, population.arrays};
    return bytesText(onHeap.bytesBy(layout)) + QLatin1Char(' ') + where;
  }
  const ColumnSaving saving = savingOf(layout, shown.named->layout(), population);
  return saving.overHeap == 0 ? u"no change on this heap"_s : changeText(saving.overHeap) + QLatin1Char(' ') + where;
}

void addSaving(DiagramColumn& drawn, const TypeLayout& base, const TypeLayout& layout,
               const TypePopulation& population) {
  const ColumnSaving saving = savingOf(base, layout, population);
  drawn.facts << unitFact(layout, saving);
  drawn.isGain = saving.perUnit > 0;
  if (saving.overHeap == 0) return;
  drawn.tip += QLatin1Char('\n') +
               u"%1 in %2 of exactly this type"_s.arg(changeText(saving.overHeap, exactBytesText),
                                                      onHeapText(layout, population)) +
               QLatin1Char('\n') +
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

/// How often the heap holds what is drawn, and the words for it.
void addTimes(DiagramColumn& drawn, const TypeLayout& layout, const TypePopulation& population) {
  const bool isElement = layout.unit() == LayoutUnit::Element;
  drawn.times = isElement ? (population.arrays ? population.arrays->elements() : 0) : population.objects;
  drawn.timesOf = isElement ? countedText(drawn.times, u"element"_s) : onHeapText(layout, population);
}

DiagramColumn drawnColumn(const PreparedLayout& prepared, const ShownColumn& shown, bool isUnboxed) {
  const LayoutColumn& column = *shown.drawn;
  const TypeLayout& layout = column.layout();
  DiagramColumn drawn;
  drawn.title = columnName(shown.named->key);
  drawn.isInForce = shown.isInForce;
  drawn.figure = figureOf(layout, isUnboxed);
  drawn.items = isUnboxed && column.unboxed ? column.unboxed : column.object;
  drawn.tip = columnTip(shown.named->key);
  if (!shown.named->variant.remark.empty()) drawn.tip += QLatin1Char('\n') + fromEngine(shown.named->variant.remark);
  if (prepared.length) drawn.facts << lengthFact(layout, *prepared.length);
  if (layout.componentSize == 0 || !layout.elementLayout.empty()) drawn.facts << paddingFact(layout);
  if (!shown.isInForce) addSaving(drawn, prepared.layout(), layout, prepared.population);
  addTimes(drawn, layout, prepared.population);
  return drawn;
}

QString bestAction(engine::AdviceKind means) {
  switch (means) {
    case engine::AdviceKind::AutoAttribute:
      return u"Make it auto"_s;
    case engine::AdviceKind::SequentialOrder:
      return u"Sequential, reorder"_s;
    case engine::AdviceKind::ExplicitOffsets:
      return u"Set offsets"_s;
    default:
      return u"Reorder fields"_s;
  }
}

QString actionOf(const PreparedLayout& prepared, const ShownColumn& shown) {
  const ColumnKey& key = shown.named->key;
  if (shown.isInForce) return u"Keep"_s;
  if (key.pack > 0) return u"Use Pack = %1"_s.arg(key.pack);
  if (key.rules == RuleSet::Sequential) return u"Make it sequential"_s;
  if (key.rules == RuleSet::Auto) return u"Make it auto"_s;
  return key.rules == RuleSet::Best ? bestAction(prepared.best.means) : QString();
}

const LayoutColumn* columnOf(const PreparedLayout& layout, RuleSet rules) {
  const auto found = std::ranges::find(layout.columns, ColumnKey{rules, 0, 0}, &LayoutColumn::key);
  return found == layout.columns.end() ? nullptr : &*found;
}

/// The declaration as it is says itself in the words of what was declared.
std::string codeOf(const PreparedLayout& prepared, const ShownColumn& shown) {
  const LayoutColumn* declared = columnOf(prepared, RuleSet::Declared);
  return shown.isInForce && declared ? declared->variant.declaration : shown.named->variant.declaration;
}

/// Of those that are laid out as it is now, the one that says what was declared.
const LayoutColumn* inForce(const PreparedLayout& layout, const std::vector<const LayoutColumn*>& three) {
  const TypeLayout& base = layout.layout().unitLayout();
  const RuleSet declared =
      base.declaredKind.value_or(base.effectiveKind) == engine::LayoutKind::Auto ? RuleSet::Auto : RuleSet::Sequential;
  const LayoutColumn* found = nullptr;
  for (const LayoutColumn* column : three) {
    if (!isSameLayout(layout.layout(), column->layout())) continue;
    if (!found || column->key.rules == declared) found = column;
  }
  return found;
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
      return u"Best order"_s;
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

std::vector<ShownColumn> arrangeColumns(const PreparedLayout& layout, const std::set<ColumnKey>& more) {
  std::vector<const LayoutColumn*> three;
  for (const RuleSet rules : {RuleSet::Sequential, RuleSet::Auto, RuleSet::Best}) {
    if (const LayoutColumn* column = columnOf(layout, rules)) three.push_back(column);
  }
  const LayoutColumn* now = inForce(layout, three);
  std::vector<ShownColumn> shown;
  if (!now) shown.push_back({&layout.base(), &layout.base(), true});
  for (const LayoutColumn* column : three) {
    if (column == now) {
      shown.push_back({&layout.base(), column, true});
    } else {
      shown.push_back({column, column, false});
    }
  }
  for (const LayoutColumn& column : layout.columns) {
    if (more.contains(column.key) && &column != &layout.base()) shown.push_back({&column, &column, false});
  }
  // As what is in force, if that comes to the same, else as the first that does.
  const auto present = std::ranges::find(shown, true, &ShownColumn::isInForce) - shown.begin();
  for (std::size_t place = 0; place < shown.size(); ++place) {
    if (shown[place].isInForce) continue;
    const auto isAlike = [&](std::size_t other) {
      return !shown[other].sameAs && isSameLayout(shown[other].drawn->layout(), shown[place].drawn->layout());
    };
    if (isAlike(static_cast<std::size_t>(present))) shown[place].sameAs = static_cast<std::size_t>(present);
    for (std::size_t other = 0; other < place && !shown[place].sameAs; ++other) {
      if (isAlike(other)) shown[place].sameAs = other;
    }
  }
  return shown;
}

std::vector<AlikeColumns> alikeColumns(const std::vector<ShownColumn>& shown) {
  std::vector<AlikeColumns> groups;
  for (std::size_t place = 0; place < shown.size(); ++place) {
    if (shown[place].sameAs) continue;
    AlikeColumns& group = groups.emplace_back(1, shown[place].named);
    for (const ShownColumn& other : shown) {
      if (other.sameAs == place) group.push_back(other.named);
    }
  }
  return groups;
}

QString columnNames(const AlikeColumns& columns) {
  QStringList names;
  for (const LayoutColumn* column : columns) names << columnName(column->key);
  return names.join(u" = "_s);
}

std::vector<DiagramColumn> diagramColumns(const PreparedLayout& layout, const std::vector<ShownColumn>& shown,
                                          bool isUnboxed) {
  std::vector<DiagramColumn> drawn;
  for (const ShownColumn& column : shown) {
    drawn.push_back(drawnColumn(layout, column, isUnboxed));
    if (column.sameAs) drawn.back().sameAs = columnName(shown[*column.sameAs].named->key);
  }
  return drawn;
}

std::vector<ColumnFoot> columnFeet(const PreparedLayout& prepared, const std::vector<ShownColumn>& shown,
                                   bool isUnboxed) {
  std::vector<ColumnFoot> feet;
  for (const ShownColumn& column : shown) {
    ColumnFoot& foot = feet.emplace_back();
    foot.isChip = column.sameAs.has_value();
    if (foot.isChip) continue;
    const TypeLayout& layout = column.drawn->layout();
    foot.bytes = layout.valueSize && !isUnboxed ? layout.baseSize : layout.unitBytes();
    foot.paddingBytes = layout.unitLayout().paddingBytes();
    foot.effect = effectText(prepared, column);
    foot.code = linesFromEngine(codeOf(prepared, column));
    if (foot.code.isEmpty()) continue;
    foot.action = actionOf(prepared, column);
    foot.actionTip = column.isInForce ? u"Leave it as it is: copies the declaration as it is now, as C#"_s
                                      : u"Copies the declaration that lays it out so, as C#"_s;
  }
  return feet;
}

}  // namespace heapscape::gui
