// SPDX-License-Identifier: MIT
#include "widgets/hex_view/object_page.h"

#include "session/layouts/layout_query.h"

namespace heapscape::gui {

using engine::LayoutItem;
using engine::LayoutItems;
using engine::LayoutPart;

namespace {

using engine::FieldKind;
using engine::LayoutField;

// Offsets of a layout's fields count from the first field.
FieldKind fieldKindAt(const std::vector<LayoutField>& fields, std::int64_t offset, FieldKind otherwise) {
  for (const LayoutField& field : fields) {
    const std::int64_t bytes = std::int64_t{field.sizeBytes} * field.repeat;
    if (offset < field.offset || offset >= field.offset + bytes || field.sizeBytes == 0) continue;
    const std::int64_t inFirst = field.offset + (offset - field.offset) % field.sizeBytes;
    return fieldKindAt(field.nested, inFirst, field.kind);
  }
  return otherwise;
}

// Length of an object with elements or characters: what is padding at its end follows from it.
std::optional<std::uint64_t> lengthOf(const engine::ObjectDetails& object, const engine::TypeLayout& layout) {
  if (object.string) return object.string->length;
  const bool hasElements = layout.kind == engine::TypeKind::Array && layout.componentSize > 0;
  if (!hasElements || object.row.sizeBytes < layout.baseSize) return std::nullopt;
  return (object.row.sizeBytes - layout.baseSize) / layout.componentSize;
}

}  // namespace

engine::Result<std::shared_ptr<const ObjectPage>> readObjectPage(const engine::Snapshot& snapshot,
                                                                 engine::Address address,
                                                                 const engine::DetailLimits& limits) {
  auto page = std::make_shared<ObjectPage>();
  HEAPSCAPE_TRY(page->object, engine::objectDetails(snapshot, address, limits));
  if (page->object.row.segment.value < snapshot.segments().size()) {
    const engine::Segment& segment = snapshot.segments()[page->object.row.segment.value];
    page->segmentStart = segment.objects.start;
    page->heap = segment.heap;
  }
  if (auto layout = engine::layoutOfObject(snapshot, page->object.methodTable, address)) {
    page->length = lengthOf(page->object, *layout);
    page->items = std::make_shared<const LayoutItems>(
        buildLayoutItems(*layout, false, engine::FieldRows::ByTheirEnds, page->length));
    page->layout = std::move(*layout);
  }
  return page;
}

FieldKind kindAt(const ObjectPage& page, std::int64_t offset) {
  if (!page.layout) return FieldKind::Primitive;
  const engine::TypeLayout& layout = *page.layout;
  const std::int64_t inElements = offset - layout.elementOffset;
  const bool isElement = layout.kind == engine::TypeKind::Array && layout.componentSize > 0 && inElements >= 0;
  if (!isElement) return fieldKindAt(layout.fields, offset - page.items->fieldsBegin, FieldKind::Primitive);
  if (layout.elementLayout.empty()) return layout.elementKind;
  return fieldKindAt(layout.elementLayout.front().fields, inElements % layout.componentSize, layout.elementKind);
}

void nameUnused(const ObjectPage& page, engine::ObjectBytes& bytes) {
  if (!page.items) return;
  for (engine::ByteRun& run : bytes.runs) {
    if (run.owner != engine::ByteOwner::Padding) continue;
    const std::uint32_t item = itemAt(*page.items, run.offset);
    const bool isUnused = item != LayoutItem::kNoItem && (*page.items)[item].part == LayoutPart::Unused;
    if (isUnused) run.owner = engine::ByteOwner::Alignment;
  }
}

std::uint32_t itemAt(const LayoutItems& items, std::int64_t offset) {
  const std::vector<std::uint32_t>* siblings = &items.roots;
  std::uint32_t innermost = LayoutItem::kNoItem;
  while (true) {
    std::uint32_t found = LayoutItem::kNoItem;
    for (const std::uint32_t item : *siblings) {
      if (offset >= items[item].begin && offset < items[item].end) {
        found = item;
        break;
      }
    }
    if (found == LayoutItem::kNoItem) return innermost;
    innermost = found;
    siblings = &items[found].children;
  }
}

std::uint32_t itemOf(const LayoutItems& items, std::int64_t begin, std::int64_t end) {
  // The outermost of equals: it is drawn whether it is open or not.
  for (std::uint32_t item = 0; item < items.items.size(); ++item) {
    if (items[item].begin == begin && items[item].end == end) return item;
  }
  return itemAt(items, begin);
}

}  // namespace heapscape::gui
