// SPDX-License-Identifier: MIT
#include "views/layouts/layout_totals.h"

#include <QStringList>
#include <algorithm>

#include "widgets/layout_diagram/layout_item_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using engine::LayoutKind;
using engine::TypeKind;
using engine::TypeLayout;

constexpr std::uint64_t kOverheadBytes = 16;  // header and method table pointer

LayoutFigure sizeFigure(const TypeLayout& layout) {
  const QString object = bytesText(layout.baseSize);
  if (layout.valueSize) {
    return {bytesText(*layout.valueSize), u"unboxed · %1 in a box"_s.arg(object),
            u"Where it is a field, a local or an element it takes up %1; boxed, with header, method table pointer and "
            "rounded up to 8 bytes, %2."_s.arg(exactBytesText(*layout.valueSize), exactBytesText(layout.baseSize))};
  }
  if (layout.kind == TypeKind::Array) {
    return {object, u"and %1 an element"_s.arg(bytesText(layout.componentSize)),
            u"An empty array; rounded up to 8 bytes"_s};
  }
  if (layout.componentSize > 0) {
    return {object, u"and %1 a character"_s.arg(bytesText(layout.componentSize)),
            u"An empty string; rounded up to 8 bytes"_s};
  }
  return {object, u"an object"_s,
          u"%1, of which %2 are object header and method table pointer"_s.arg(exactBytesText(layout.baseSize),
                                                                              countText(kOverheadBytes))};
}

LayoutFigure fieldsFigure(const TypeLayout& layout) {
  const std::uint64_t used = layout.fieldsBytes - std::min(layout.fieldsBytes, layout.paddingBytes());
  return {bytesText(used), u"in fields"_s,
          u"%1 of the %2 that the fields lie in"_s.arg(exactBytesText(used), exactBytesText(layout.fieldsBytes))};
}

QString paddingTip(const TypeLayout& layout) {
  return u"%1 of its own, %2 inside its value type fields"_s.arg(exactBytesText(layout.ownPaddingBytes),
                                                                 exactBytesText(layout.nestedPaddingBytes));
}

LayoutFigure paddingFigure(const TypeLayout& layout) {
  const std::uint64_t padding = layout.paddingBytes();
  if (padding == 0) return {u"0 B"_s, u"padding"_s, u"Every byte of its fields is used."_s, true};
  const QString ofFields = percentText(padding, layout.fieldsBytes);
  if (layout.valueSize) {
    return {bytesText(padding), u"padding · %1 of the value's %2"_s.arg(ofFields, bytesText(layout.fieldsBytes)),
            paddingTip(layout), true};
  }
  return {bytesText(padding),
          u"padding · %1 of the object, %2 of the %3 for fields"_s.arg(percentText(padding, layout.baseSize), ofFields,
                                                                       bytesText(layout.fieldsBytes)),
          paddingTip(layout), true};
}

LayoutFigure elementPaddingFigure(const TypeLayout& layout) {
  const std::uint64_t padding = layout.elementLayout.front().paddingBytes();
  if (padding == 0) return {u"0 B"_s, u"padding an element"_s, {}, true};
  return {bytesText(padding),
          u"padding an element · %1 of its %2"_s.arg(percentText(padding, layout.componentSize),
                                                     bytesText(layout.componentSize)),
          paddingTip(layout.elementLayout.front()), true};
}

LayoutFigure heapFigure(const TypePopulation& population) {
  if (population.objects == 0)
    return {u"none"_s, u"on the heap"_s, u"The heap holds no object of this type, boxed or not."_s};
  return {bytesText(population.paddingBytes),
          population.objects == 1 ? u"padding in the 1 object of the heap"_s
                                  : u"padding in the heap's %1 objects"_s.arg(countText(population.objects)),
          exactBytesText(population.paddingBytes), true};
}

QString layoutName(LayoutKind kind) {
  switch (kind) {
    case LayoutKind::Auto:
      return u"auto"_s;
    case LayoutKind::Sequential:
      return u"sequential"_s;
    case LayoutKind::Explicit:
      return u"explicit"_s;
  }
  return {};
}

QString layoutTip(LayoutKind kind) {
  switch (kind) {
    case LayoutKind::Auto:
      return u"The runtime puts the fields in the order that suits it: references first, then the larger before the "
             "smaller."_s;
    case LayoutKind::Sequential:
      return u"The fields lie in the order in which they are declared."_s;
    case LayoutKind::Explicit:
      return u"The fields lie where their FieldOffset says; they may overlap."_s;
  }
  return {};
}

LayoutChip layoutChip(const TypeLayout& layout) {
  const LayoutKind effective = layout.effectiveKind;
  if (!layout.declaredKind) {
    return {u"%1 layout"_s.arg(layoutName(effective)),
            u"What it is declared as is unknown: its metadata is not in the dump."_s};
  }
  if (*layout.declaredKind == effective) return {u"%1 layout"_s.arg(layoutName(effective)), layoutTip(effective)};
  return {u"declared %1, laid out %2"_s.arg(layoutName(*layout.declaredKind), layoutName(effective)),
          layout.references.empty()
              ? u"The runtime does not keep the declared order where a base class has no fixed layout of its own."_s
              : u"The runtime does not keep the declared order of a type that holds references."_s};
}

QString kindName(TypeKind kind) {
  return QString::fromLatin1(engine::toString(kind));
}

}  // namespace

std::vector<LayoutFigure> layoutFigures(const TypeLayout& layout, const TypePopulation& population) {
  std::vector<LayoutFigure> figures{sizeFigure(layout)};
  if (layout.kind == TypeKind::Interface) return {};
  if (layout.componentSize == 0) {
    figures.push_back(fieldsFigure(layout));
    figures.push_back(paddingFigure(layout));
  } else if (!layout.elementLayout.empty()) {
    figures.push_back(elementPaddingFigure(layout));
  }
  if (population.hasHeap) figures.push_back(heapFigure(population));
  return figures;
}

std::vector<LayoutChip> layoutChips(const TypeLayout& layout) {
  std::vector<LayoutChip> chips{{kindName(layout.kind), {}}};
  if (!layout.continues.empty()) {
    QStringList places;
    for (const std::string& place : layout.continues) places << QString::fromStdString(place);
    chips.push_back(
        {u"saved locals"_s, u"What is saved of methods that are suspended:\n%1"_s.arg(places.join(QLatin1Char('\n')))});
  }
  if (layout.rank > 1)
    chips.push_back({u"rank %1"_s.arg(layout.rank), u"%1 lengths and lower bounds"_s.arg(layout.rank)});
  const bool hasFields =
      layout.kind == TypeKind::Class || layout.kind == TypeKind::Struct || layout.kind == TypeKind::Delegate;
  if (hasFields && !layout.fields.empty()) chips.push_back(layoutChip(layout));
  if (layout.declaredPack > 0) {
    chips.push_back({u"Pack %1"_s.arg(layout.declaredPack),
                     u"Declared: no field is aligned to more than %1"_s.arg(exactBytesText(layout.declaredPack))});
  }
  if (layout.declaredSize > 0) {
    chips.push_back(
        {u"Size %1"_s.arg(layout.declaredSize), u"Declared: at least %1"_s.arg(exactBytesText(layout.declaredSize))});
  }
  return chips;
}

using engine::LayoutItem;
using engine::LayoutItems;
using engine::LayoutPart;

namespace {

constexpr int kFigureWidth = 8;

QString itemLine(const LayoutItem& item, int indent) {
  QString line = QString::number(item.begin).rightJustified(kFigureWidth);
  const bool isOpenEnded = item.part == LayoutPart::Repeated && item.repeats == 0;
  line += (isOpenEnded ? u"…"_s : QString::number(item.sizeBytes())).rightJustified(kFigureWidth);
  line += QString(2 + 2 * indent, QLatin1Char(' ')) +
          (item.part == LayoutPart::Field ? fromEngine(item.name) : itemName(item));
  if (item.part == LayoutPart::Padding) return line;
  if (!item.typeName.empty()) line += u" : "_s + fromEngine(item.typeName);
  return line;
}

void addLines(const LayoutItems& items, const std::vector<std::uint32_t>& siblings, int indent, QStringList& lines) {
  for (const std::uint32_t number : siblings) {
    lines << itemLine(items[number], indent);
    addLines(items, items[number].children, indent + 1, lines);
  }
}

}  // namespace

QString layoutAsText(const engine::TypeLayout& layout, const LayoutItems& items, const TypePopulation& population) {
  QStringList lines{fromEngine(layout.typeName)};
  QStringList chips;
  for (const LayoutChip& chip : layoutChips(layout)) chips << chip.text;
  lines << chips.join(u", "_s);
  for (const LayoutFigure& figure : layoutFigures(layout, population))
    lines << figure.value + QLatin1Char(' ') + figure.caption;
  lines << QString();
  lines << u"offset"_s.rightJustified(kFigureWidth) + u"size"_s.rightJustified(kFigureWidth) + u"  field"_s;
  addLines(items, items.roots, 0, lines);
  return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace heapscape::gui
