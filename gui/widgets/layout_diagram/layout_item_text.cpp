// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/layout_item_text.h"

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
      return u"reference"_s;
    case engine::FieldKind::Primitive:
      return u"primitive"_s;
    case engine::FieldKind::Pointer:
      return u"pointer, not followed by the GC"_s;
    case engine::FieldKind::ValueType:
      return u"value type, lies inside"_s;
  }
  return {};
}

QString partText(const LayoutItem& item) {
  switch (item.part) {
    case LayoutPart::Header:
      return u"Lock, hash code or sync block; in front of the object's address"_s;
    case LayoutPart::MethodTable:
      return u"Points at the type's method table"_s;
    case LayoutPart::Unused:
      return u"The runtime leaves it unused"_s;
    case LayoutPart::Padding:
      if (item.name == "box") return u"A box is rounded up to 8 bytes"_s;
      if (item.name == "end") return u"Objects are rounded up to 8 bytes"_s;
      return item.why.empty() ? u"No field uses it, in %1"_s.arg(fromEngine(item.typeName)) : fromEngine(item.why);
    default:
      break;
  }
  const QString type = item.typeName.empty() ? u"type unknown"_s : fromEngine(item.typeName);
  return u"%1 · %2"_s.arg(type, kindText(item));
}

QString offsetFact(const LayoutItems& items, const LayoutItem& item) {
  if (items.isUnboxed) return u"offset %1 in the value"_s.arg(offsetText(item.begin));
  if (item.begin < items.fieldsBegin) return u"offset %1 from the object's address"_s.arg(offsetText(item.begin));
  return u"offset %1 from the object's address, %2 from its first field"_s.arg(
      offsetText(item.begin), offsetText(item.begin - items.fieldsBegin));
}

}  // namespace

QStringList notShownText(const LayoutItem& item) {
  QStringList texts;
  const auto bytes = [](std::int64_t count) { return countText(static_cast<std::uint64_t>(count)); };
  if (item.hiddenPaddingBytes > 0) {
    texts << (item.repeats == 0 ? u"%1 B padding in each"_s : u"%1 B padding in them"_s)
                 .arg(bytes(item.hiddenPaddingBytes));
  }
  if (item.mostTailBytes > 0) texts << u"up to %1 B end padding"_s.arg(bytes(item.mostTailBytes));
  return texts;
}

QString itemName(const LayoutItem& item) {
  switch (item.part) {
    case LayoutPart::Header:
      return u"object header"_s;
    case LayoutPart::MethodTable:
      return u"method table"_s;
    case LayoutPart::Padding:
      return u"padding"_s;
    case LayoutPart::Unused:
      return u"unused"_s;
    case LayoutPart::Repeated:
      return (QStringList{item.repeats == 0 ? u"and so on"_s : u"%1 more"_s.arg(countText(item.repeats))} +
              notShownText(item))
          .join(u", "_s);
    case LayoutPart::Field:
    case LayoutPart::Element:
      break;
  }
  return item.name.empty() ? u"(no name)"_s : fieldNameText(item.name);
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
  return item.sizeBytes() <= kExactUpTo ? u"%1 B"_s.arg(countText(bytes)) : bytesText(bytes);
}

QStringList itemFacts(const LayoutItems& items, std::uint32_t number) {
  const LayoutItem& item = items[number];
  QStringList facts{partText(item), offsetFact(items, item)};
  const bool isOpenEnded = item.part == LayoutPart::Repeated && item.repeats == 0;
  if (!isOpenEnded) facts << exactBytesText(static_cast<std::uint64_t>(item.sizeBytes()));
  if (item.parent != LayoutItem::kNoItem) {
    const LayoutItem& holder = items[item.parent];
    facts << u"in %1, %2 bytes from its start"_s.arg(itemName(holder), offsetText(item.begin - holder.begin));
  }
  if (const std::optional<std::int64_t> line = straddles(item)) {
    facts << (items.isUnboxed
                  ? u"crosses a cache line at %1 if the value begins at a line"_s.arg(offsetText(*line))
                  : u"crosses a cache line at %1 if the object begins at a line; objects are aligned to 8 bytes only"_s
                        .arg(offsetText(*line)));
  }
  if (item.name.starts_with('<') && fieldNameText(item.name) != fromEngine(item.name))
    facts << u"the property's field %1"_s.arg(fromEngine(item.name));
  if (!item.declaringType.empty()) facts << u"declared in %1"_s.arg(fromEngine(item.declaringType));
  return facts;
}

}  // namespace heapscape::gui
