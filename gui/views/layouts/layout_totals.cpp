// SPDX-License-Identifier: MIT
#include "views/layouts/layout_totals.h"

#include <QObject>
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
    return {
        bytesText(*layout.valueSize), QStringLiteral("unboxed · %1 in a box").arg(object),
        QStringLiteral(
            "Where it is a field, a local or an element it takes up %1; boxed, with header, method table pointer and "
            "rounded up to 8 bytes, %2.")
            .arg(exactBytesText(*layout.valueSize), exactBytesText(layout.baseSize))};
  }
  if (layout.kind == TypeKind::Array) {
    return {object, QStringLiteral("and %1 an element").arg(bytesText(layout.componentSize)),
            QStringLiteral("An empty array; rounded up to 8 bytes")};
  }
  if (layout.componentSize > 0) {
    return {object, QStringLiteral("and %1 a character").arg(bytesText(layout.componentSize)),
            QStringLiteral("An empty string; rounded up to 8 bytes")};
  }
  return {object, QStringLiteral("an object"),
          QStringLiteral("%1, of which %2 are object header and method table pointer")
              .arg(exactBytesText(layout.baseSize), countText(kOverheadBytes))};
}

LayoutFigure fieldsFigure(const TypeLayout& layout) {
  const std::uint64_t used = layout.fieldsBytes - std::min(layout.fieldsBytes, layout.paddingBytes());
  return {bytesText(used), QStringLiteral("in fields"),
          QStringLiteral("%1 of the %2 that the fields lie in")
              .arg(exactBytesText(used), exactBytesText(layout.fieldsBytes))};
}

QString paddingTip(const TypeLayout& layout) {
  return QStringLiteral("%1 of its own, %2 inside its value type fields")
      .arg(exactBytesText(layout.ownPaddingBytes), exactBytesText(layout.nestedPaddingBytes));
}

LayoutFigure paddingFigure(const TypeLayout& layout) {
  const std::uint64_t padding = layout.paddingBytes();
  if (padding == 0)
    return {QStringLiteral("0 B"), QStringLiteral("padding"), QStringLiteral("Every byte of its fields is used."),
            true};
  const QString ofFields = percentText(padding, layout.fieldsBytes);
  if (layout.valueSize) {
    return {bytesText(padding),
            QStringLiteral("padding · %1 of the value's %2").arg(ofFields, bytesText(layout.fieldsBytes)),
            paddingTip(layout), true};
  }
  return {bytesText(padding),
          QStringLiteral("padding · %1 of the object, %2 of the %3 for fields")
              .arg(percentText(padding, layout.baseSize), ofFields, bytesText(layout.fieldsBytes)),
          paddingTip(layout), true};
}

LayoutFigure elementPaddingFigure(const TypeLayout& layout) {
  const std::uint64_t padding = layout.elementLayout.front().paddingBytes();
  if (padding == 0) return {QStringLiteral("0 B"), QStringLiteral("padding an element"), {}, true};
  return {bytesText(padding),
          QStringLiteral("padding an element · %1 of its %2")
              .arg(percentText(padding, layout.componentSize), bytesText(layout.componentSize)),
          paddingTip(layout.elementLayout.front()), true};
}

LayoutFigure heapFigure(const TypePopulation& population) {
  if (population.objects == 0)
    return {QStringLiteral("none"), QStringLiteral("on the heap"),
            QStringLiteral("The heap holds no object of this type, boxed or not.")};
  return {bytesText(population.paddingBytes),
          population.objects == 1
              ? QStringLiteral("padding in the 1 object of the heap")
              : QStringLiteral("padding in the heap's %1 objects").arg(countText(population.objects)),
          exactBytesText(population.paddingBytes), true};
}

QString layoutName(LayoutKind kind) {
  switch (kind) {
    case LayoutKind::Auto:
      return QStringLiteral("auto");
    case LayoutKind::Sequential:
      return QStringLiteral("sequential");
    case LayoutKind::Explicit:
      return QStringLiteral("explicit");
  }
  return {};
}

QString layoutTip(LayoutKind kind) {
  switch (kind) {
    case LayoutKind::Auto:
      return QStringLiteral(
          "The runtime puts the fields in the order that suits it: references first, then the larger before the "
          "smaller.");
    case LayoutKind::Sequential:
      return QStringLiteral("The fields lie in the order in which they are declared.");
    case LayoutKind::Explicit:
      return QStringLiteral("The fields lie where their FieldOffset says; they may overlap.");
  }
  return {};
}

LayoutChip layoutChip(const TypeLayout& layout) {
  const LayoutKind effective = layout.effectiveKind;
  if (!layout.declaredKind) {
    return {QStringLiteral("%1 layout").arg(layoutName(effective)),
            QStringLiteral("What it is declared as is unknown: its metadata is not in the dump.")};
  }
  if (*layout.declaredKind == effective)
    return {QStringLiteral("%1 layout").arg(layoutName(effective)), layoutTip(effective)};
  return {QStringLiteral("declared %1, laid out %2").arg(layoutName(*layout.declaredKind), layoutName(effective)),
          layout.references.empty()
              ? QStringLiteral(
                    "The runtime does not keep the declared order where a base class has no fixed layout of its own.")
              : QStringLiteral("The runtime does not keep the declared order of a type that holds references.")};
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
        {QStringLiteral("saved locals"),
         QStringLiteral("What is saved of methods that are suspended:\n%1").arg(places.join(QLatin1Char('\n')))});
  }
  if (layout.rank > 1)
    chips.push_back(
        {QStringLiteral("rank %1").arg(layout.rank), QStringLiteral("%1 lengths and lower bounds").arg(layout.rank)});
  const bool hasFields =
      layout.kind == TypeKind::Class || layout.kind == TypeKind::Struct || layout.kind == TypeKind::Delegate;
  if (hasFields && !layout.fields.empty()) chips.push_back(layoutChip(layout));
  if (layout.declaredPack > 0) {
    chips.push_back(
        {QStringLiteral("Pack %1").arg(layout.declaredPack),
         QStringLiteral("Declared: no field is aligned to more than %1").arg(exactBytesText(layout.declaredPack))});
  }
  if (layout.declaredSize > 0) {
    chips.push_back({QStringLiteral("Size %1").arg(layout.declaredSize),
                     QStringLiteral("Declared: at least %1").arg(exactBytesText(layout.declaredSize))});
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
  line += (isOpenEnded ? QStringLiteral("…") : QString::number(item.sizeBytes())).rightJustified(kFigureWidth);
  line += QString(2 + 2 * indent, QLatin1Char(' ')) +
          (item.part == LayoutPart::Field ? fromEngine(item.name) : itemName(item));
  if (item.part == LayoutPart::Padding) return line;
  if (!item.typeName.empty()) line += QStringLiteral(" : ") + fromEngine(item.typeName);
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
  lines << chips.join(QStringLiteral(", "));
  for (const LayoutFigure& figure : layoutFigures(layout, population))
    lines << figure.value + QLatin1Char(' ') + figure.caption;
  lines << QString();
  lines << QStringLiteral("offset").rightJustified(kFigureWidth) + QStringLiteral("size").rightJustified(kFigureWidth) +
               QStringLiteral("  field");
  addLines(items, items.roots, 0, lines);
  return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace heapscape::gui
