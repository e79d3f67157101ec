// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/layout_item_text.h"

#include <QObject>

#include "widgets/layout_diagram/layout_diagram_geometry.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {

using engine::LayoutItem;
using engine::LayoutItems;
using engine::LayoutPart;

namespace {

QString kindText(const LayoutItem& item) {
  switch (item.kind) {
    case engine::FieldKind::Reference:
      return QStringLiteral("reference");
    case engine::FieldKind::Primitive:
      return QStringLiteral("primitive");
    case engine::FieldKind::Pointer:
      return QStringLiteral("pointer, not followed by the GC");
    case engine::FieldKind::ValueType:
      return QStringLiteral("value type, lies inside");
  }
  return {};
}

QString partText(const LayoutItem& item) {
  switch (item.part) {
    case LayoutPart::Header:
      return QStringLiteral("Lock, hash code or sync block; in front of the object's address");
    case LayoutPart::MethodTable:
      return QStringLiteral("Points at the type's method table");
    case LayoutPart::Unused:
      return QStringLiteral("The runtime leaves it unused");
    case LayoutPart::Padding:
      if (item.name == "box") return QStringLiteral("A box is rounded up to 8 bytes");
      if (item.name == "end") return QStringLiteral("Objects are rounded up to 8 bytes");
      return QStringLiteral("No field uses it, in %1").arg(fromEngine(item.typeName));
    default:
      break;
  }
  const QString type = item.typeName.empty() ? QStringLiteral("type unknown") : fromEngine(item.typeName);
  return QStringLiteral("%1 · %2").arg(type, kindText(item));
}

QString offsetFact(const LayoutItems& items, const LayoutItem& item) {
  if (items.isUnboxed) return QStringLiteral("offset %1 in the value").arg(offsetText(item.begin));
  if (item.begin < items.fieldsBegin)
    return QStringLiteral("offset %1 from the object's address").arg(offsetText(item.begin));
  return QStringLiteral("offset %1 from the object's address, %2 from its first field")
      .arg(offsetText(item.begin), offsetText(item.begin - items.fieldsBegin));
}

}  // namespace

QStringList notShownText(const LayoutItem& item) {
  QStringList texts;
  const auto bytes = [](std::int64_t count) { return countText(static_cast<std::uint64_t>(count)); };
  if (item.hiddenPaddingBytes > 0) {
    texts << (item.repeats == 0 ? QStringLiteral("%1 B padding in each") : QStringLiteral("%1 B padding in them"))
                 .arg(bytes(item.hiddenPaddingBytes));
  }
  if (item.mostTailBytes > 0) texts << QStringLiteral("up to %1 B end padding").arg(bytes(item.mostTailBytes));
  return texts;
}

QString itemName(const LayoutItem& item) {
  switch (item.part) {
    case LayoutPart::Header:
      return QStringLiteral("object header");
    case LayoutPart::MethodTable:
      return QStringLiteral("method table");
    case LayoutPart::Padding:
      return QStringLiteral("padding");
    case LayoutPart::Unused:
      return QStringLiteral("unused");
    case LayoutPart::Repeated:
      return (QStringList{item.repeats == 0 ? QStringLiteral("and so on")
                                            : QStringLiteral("%1 more").arg(countText(item.repeats))} +
              notShownText(item))
          .join(QStringLiteral(", "));
    case LayoutPart::Field:
    case LayoutPart::Element:
      break;
  }
  return item.name.empty() ? QStringLiteral("(no name)") : fieldNameText(item.name);
}

QString itemType(const LayoutItem& item) {
  const bool hasType =
      item.part == LayoutPart::Field || item.part == LayoutPart::Element || item.part == LayoutPart::Repeated;
  return hasType ? shortTypeName(item.typeName) : QString();
}

QString offsetText(std::int64_t offset) {
  return offset < 0 ? kMinus + QString::number(-offset) : QString::number(offset);
}

QString itemSizeText(const LayoutItem& item) {
  constexpr std::int64_t kExactUpTo = 4096;
  const auto bytes = static_cast<std::uint64_t>(item.sizeBytes());
  return item.sizeBytes() <= kExactUpTo ? QStringLiteral("%1 B").arg(countText(bytes)) : bytesText(bytes);
}

QStringList itemFacts(const LayoutItems& items, std::uint32_t number) {
  const LayoutItem& item = items[number];
  QStringList facts{partText(item), offsetFact(items, item)};
  const bool isOpenEnded = item.part == LayoutPart::Repeated && item.repeats == 0;
  if (!isOpenEnded) facts << exactBytesText(static_cast<std::uint64_t>(item.sizeBytes()));
  if (item.parent != LayoutItem::kNoItem) {
    const LayoutItem& holder = items[item.parent];
    facts << QStringLiteral("in %1, %2 bytes from its start")
                 .arg(itemName(holder), offsetText(item.begin - holder.begin));
  }
  if (const std::optional<std::int64_t> line = straddles(item)) {
    facts
        << (items.isUnboxed
                ? QStringLiteral("crosses a cache line at %1 if the value begins at a line").arg(offsetText(*line))
                : QStringLiteral(
                      "crosses a cache line at %1 if the object begins at a line; objects are aligned to 8 bytes only")
                      .arg(offsetText(*line)));
  }
  if (item.name.starts_with('<') && fieldNameText(item.name) != fromEngine(item.name))
    facts << QStringLiteral("the property's field %1").arg(fromEngine(item.name));
  if (!item.declaringType.empty()) facts << QStringLiteral("declared in %1").arg(fromEngine(item.declaringType));
  return facts;
}

}  // namespace heapscape::gui
