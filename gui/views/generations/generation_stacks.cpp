// SPDX-License-Identifier: MIT
#include "views/generations/generation_stacks.h"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "widgets/text/figures.h"

namespace heapscape::gui {

using engine::Generation;
using engine::GenerationRow;

namespace {

std::uint64_t usedOf(const engine::ObjectTotals& totals, Measure measure) {
  return isInBytes(measure) ? totals.bytes - totals.freeBytes : totals.objects - totals.freeObjects;
}

std::uint64_t freeOf(const engine::ObjectTotals& totals, Measure measure) {
  return isInBytes(measure) ? totals.freeBytes : totals.freeObjects;
}

/// Generations first, each with its garbage behind it, free space last; those without a value anywhere are left out,
/// and all but garbage where that alone is measured.
std::vector<StackPart> emptyParts(std::size_t bars) {
  std::vector<StackPart> parts;
  for (const Generation generation : engine::kGenerations) {
    for (const bool isGarbage : {false, true})
      parts.push_back({generation, std::vector<std::uint64_t>(bars), isGarbage});
  }
  parts.push_back({std::nullopt, std::vector<std::uint64_t>(bars)});
  return parts;
}

void dropEmptyParts(StackTable& table) {
  std::erase_if(table.parts, [&](const StackPart& part) {
    if (table.measure == Measure::Garbage && !part.isGarbage) return true;
    return std::all_of(part.values.begin(), part.values.end(), [](std::uint64_t value) { return value == 0; });
  });
}

std::size_t placeOfPart(std::size_t generation, bool isGarbage) {
  return 2 * generation + (isGarbage ? 1 : 0);
}

void addTo(StackTable& table, std::size_t generation, std::size_t bar, std::uint64_t all, std::uint64_t garbage) {
  table.parts[placeOfPart(generation, true)].values[bar] += garbage;
  table.parts[placeOfPart(generation, false)].values[bar] += all - garbage;
}

QString sizeName(const engine::SizeBucket& bucket) {
  return u"%1 – %2"_s.arg(bytesText(bucket.minimumBytes), bytesText(bucket.maximumBytes));
}

}  // namespace

std::uint64_t StackTable::barTotal(std::size_t bar) const {
  std::uint64_t sum = 0;
  for (const StackPart& part : parts) sum += part.values[bar];
  return sum;
}

std::uint64_t StackTable::largestBar() const {
  std::uint64_t largest = 0;
  for (std::size_t bar = 0; bar < bars.size(); ++bar) largest = std::max(largest, barTotal(bar));
  return largest;
}

std::uint64_t StackTable::total() const {
  std::uint64_t sum = 0;
  for (std::size_t bar = 0; bar < bars.size(); ++bar) sum += barTotal(bar);
  return sum;
}

std::optional<std::size_t> StackTable::partAt(std::size_t bar, double value) const {
  if (bar >= bars.size() || value < 0) return std::nullopt;
  double top = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    top += static_cast<double>(parts[part].values[bar]);
    if (value < top) return part;
  }
  return std::nullopt;
}

engine::HeapScope StackTable::scopeOf(std::size_t bar, std::optional<std::size_t> part) const {
  engine::HeapScope scope = bars[bar].scope;
  if (part && parts[*part].generation) scope.generation = parts[*part].generation;
  return scope;
}

StackTable stacksOfGenerations(const std::vector<GenerationRow>& rows, Measure measure,
                               const std::vector<engine::RetainedTotals>& reach) {
  StackTable table;
  table.measure = measure;
  std::set<std::uint32_t> heaps;
  std::set<Generation> generations;
  for (const GenerationRow& row : rows) {
    heaps.insert(row.heap);
    generations.insert(row.generation);
  }
  std::map<std::uint32_t, std::size_t> barOf;  // by heap, or by generation of the only heap
  const bool isByHeap = heaps.size() > 1;
  if (isByHeap) {
    for (const std::uint32_t heap : heaps) {
      barOf[heap] = table.bars.size();
      table.bars.push_back({u"Heap %1"_s.arg(heap), engine::HeapScope{.heap = heap, .generation = std::nullopt}});
    }
  } else {
    for (const Generation generation : generations) {
      barOf[static_cast<std::uint32_t>(generation)] = table.bars.size();
      table.bars.push_back(
          {generationText(generation), engine::HeapScope{.heap = std::nullopt, .generation = generation}});
    }
  }
  table.parts = emptyParts(table.bars.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const GenerationRow& row = rows[i];
    const std::size_t bar = barOf[isByHeap ? row.heap : static_cast<std::uint32_t>(row.generation)];
    std::uint64_t garbage = 0;
    if (i < reach.size()) garbage = isInBytes(measure) ? reach[i].garbageBytes() : reach[i].garbageObjects();
    addTo(table, static_cast<std::size_t>(row.generation), bar, usedOf(row.totals, measure), garbage);
    table.parts.back().values[bar] += freeOf(row.totals, measure);
  }
  dropEmptyParts(table);
  return table;
}

void addSpaces(StackTable& table, const std::vector<GenerationRow>& rows,
               const std::vector<engine::GenerationSpace>& spaces) {
  if (table.measure != Measure::Bytes || spaces.size() != rows.size()) return;
  table.spaces.assign(table.bars.size(), {});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto bar = std::ranges::find_if(table.bars, [&](const StackBar& each) {
      return each.scope.heap ? *each.scope.heap == rows[i].heap : each.scope.generation == rows[i].generation;
    });
    if (bar == table.bars.end()) continue;
    StackSpace& space = table.spaces[static_cast<std::size_t>(bar - table.bars.begin())];
    space.committed += spaces[i].committedBytes;
    if (bar->scope.heap) continue;
    space.due = spaces[i].dueBytes;
    space.budget = spaces[i].budgetBytes;
  }
}

std::optional<double> placeOfSize(const std::vector<engine::SizeBucket>& buckets, std::uint64_t sizeBytes) {
  for (std::size_t bar = 0; bar < buckets.size(); ++bar) {
    const engine::SizeBucket& bucket = buckets[bar];
    if (sizeBytes < bucket.minimumBytes || sizeBytes > bucket.maximumBytes) continue;
    const double first = std::log2(static_cast<double>(bucket.minimumBytes));
    const double behind = std::log2(static_cast<double>(bucket.maximumBytes) + 1);
    return static_cast<double>(bar) + (std::log2(static_cast<double>(sizeBytes)) - first) / (behind - first);
  }
  return std::nullopt;
}

StackTable stacksOfSizes(const std::vector<engine::SizeBucket>& buckets, Measure measure) {
  StackTable table;
  table.measure = measure;
  table.parts = emptyParts(buckets.size());
  for (std::size_t bar = 0; bar < buckets.size(); ++bar) {
    const engine::SizeBucket& bucket = buckets[bar];
    engine::HeapScope scope;
    scope.minimumBytes = bucket.minimumBytes;
    scope.maximumBytes = bucket.maximumBytes;
    table.bars.push_back({sizeName(bucket), scope});
    const auto& values = isInBytes(measure) ? bucket.bytes : bucket.objects;
    const auto& garbage = isInBytes(measure) ? bucket.garbageBytes : bucket.garbageObjects;
    for (std::size_t generation = 0; generation < engine::kGenerationCount; ++generation)
      addTo(table, generation, bar, values[generation], garbage[generation]);
  }
  dropEmptyParts(table);
  return table;
}

std::optional<HeapBalance> heapBalance(const std::vector<GenerationRow>& rows, std::uint32_t heaps) {
  std::map<std::uint32_t, std::uint64_t> bytes;
  for (std::uint32_t heap = 0; heap < heaps; ++heap) bytes[heap] = 0;
  for (const GenerationRow& row : rows) bytes[row.heap] += usedOf(row.totals, Measure::Bytes);
  if (bytes.size() < 2) return std::nullopt;
  const auto isLess = [](const auto& left, const auto& right) { return left.second < right.second; };
  const auto [smallest, largest] = std::minmax_element(bytes.begin(), bytes.end(), isLess);
  return HeapBalance{largest->first, smallest->first, largest->second, smallest->second};
}

std::vector<double> niceTicks(double largest, int wanted, Measure measure) {
  std::vector<double> ticks{0};
  if (largest <= 0 || wanted < 1) return ticks;
  const double rough = largest / wanted;
  double step = 1;
  if (isInBytes(measure)) {
    step = std::max(1.0, std::exp2(std::ceil(std::log2(rough))));
  } else {
    const double power = std::max(1.0, std::pow(10, std::floor(std::log10(rough))));
    step = power;
    for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
      step = power * factor;
      if (step >= rough) break;
    }
  }
  for (double tick = step; tick <= largest * (1 + 1e-9); tick += step) ticks.push_back(tick);
  return ticks;
}

namespace {

QString exactText(std::uint64_t value, Measure measure) {
  if (measure == Measure::Objects) return countedText(value, u"object"_s);
  return value < 1024 ? exactBytesText(value) : u"%1 (%2)"_s.arg(bytesText(value), exactBytesText(value));
}

QStringList spaceFacts(const StackSpace& space) {
  QStringList facts{u"committed: %1"_s.arg(exactText(space.committed, Measure::Bytes))};
  if (space.budget) facts << u"budget between collections: %1"_s.arg(exactText(*space.budget, Measure::Bytes));
  if (space.due) facts << u"due to be collected at %1"_s.arg(exactText(*space.due, Measure::Bytes));
  return facts;
}

}  // namespace

QString measureText(std::uint64_t value, Measure measure) {
  return isInBytes(measure) ? bytesText(value) : countText(value);
}

QString tickText(double value, Measure measure) {
  QString text = measureText(static_cast<std::uint64_t>(value), measure);
  const qsizetype point = isInBytes(measure) ? text.indexOf(QLocale().decimalPoint()) : -1;
  if (point < 0) return text;
  // A round figure needs no zeros behind its point: "4 KB" instead of "4.00 KB".
  qsizetype end = text.indexOf(QLatin1Char(' '), point);
  while (end > point && (text[end - 1] == QLatin1Char('0') || end - 1 == point)) text.remove(--end, 1);
  return text;
}

QString partName(const StackPart& part) {
  if (!part.generation) return u"free"_s;
  const QString generation = generationText(*part.generation);
  return part.isGarbage ? u"%1, garbage"_s.arg(generation) : generation;
}

BubbleText stackText(const StackTable& table, std::size_t bar, std::optional<std::size_t> part,
                     const Colours& colours) {
  BubbleText text;
  const QString barName = table.bars[bar].name;
  if (part) {
    const StackPart& shown = table.parts[*part];
    text.swatch = shown.generation ? colours.of(*shown.generation) : colours.freeSpace();
    text.title = partName(shown).startsWith(barName) ? partName(shown) : u"%1, %2"_s.arg(barName, partName(shown));
    text.facts << exactText(shown.values[bar], table.measure);
    text.facts << u"%1 of %2, %3 of all"_s.arg(percentText(shown.values[bar], table.barTotal(bar)), barName,
                                               percentText(shown.values[bar], table.total()));
    return text;
  }
  text.title = barName;
  text.facts << u"%1, %2 of all"_s.arg(exactText(table.barTotal(bar), table.measure),
                                       percentText(table.barTotal(bar), table.total()));
  for (const StackPart& shown : table.parts) {
    if (shown.values[bar] > 0) {
      text.facts << u"%1: %2"_s.arg(partName(shown), exactText(shown.values[bar], table.measure));
    }
  }
  if (bar < table.spaces.size()) text.facts << spaceFacts(table.spaces[bar]);
  return text;
}

QString balanceText(const HeapBalance& balance) {
  if (balance.largestBytes == balance.smallestBytes)
    return u"All heaps hold %1."_s.arg(bytesText(balance.largestBytes));
  if (balance.smallestBytes == 0) {
    return u"Uneven: heap %1 holds %2, heap %3 nothing."_s.arg(balance.largestHeap)
        .arg(bytesText(balance.largestBytes))
        .arg(balance.smallestHeap);
  }
  const double ratio = static_cast<double>(balance.largestBytes) / static_cast<double>(balance.smallestBytes);
  return u"Heap %1 holds %2 times as much as heap %3: %4 and %5."_s.arg(balance.largestHeap)
      .arg(QLocale().toString(ratio, 'f', ratio < 10 ? 1 : 0))
      .arg(balance.smallestHeap)
      .arg(bytesText(balance.largestBytes), bytesText(balance.smallestBytes));
}

QString adaptationText(const engine::GcHeaps& heaps) {
  switch (heaps.adaptation) {
    case engine::DynamicAdaptation::None:
      break;
    case engine::DynamicAdaptation::Off:
      return u"DATAS is off."_s;
    case engine::DynamicAdaptation::On:
      return u"DATAS is on: %1 of %2 heaps are active."_s.arg(countText(heaps.active), countText(heaps.created));
    case engine::DynamicAdaptation::Unknown:
      return u"Whether DATAS is on is unknown: all %1 heaps are active."_s.arg(countText(heaps.active));
  }
  return {};
}

}  // namespace heapscape::gui
