// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/layout_items.h"

#include <fmt/format.h>

#include <algorithm>

namespace heapscape::gui {
namespace {

using engine::FieldKind;
using engine::LayoutField;
using engine::Padding;
using engine::TypeLayout;

constexpr std::int64_t kPointerBytes = 8;
constexpr std::int64_t kArrayLengthBytes = 4;
constexpr std::uint32_t kShortestRepetition = 12;  // fewer are shown one by one
constexpr std::uint32_t kShownOfRepetition = 2;    // at its start; and the last one
constexpr std::int64_t kElementsShownBytes = 16;

class ItemsBuilder {
 public:
  ItemsBuilder(const TypeLayout& layout, bool isUnboxed) : m_layout(layout) {
    m_items.isUnboxed = isUnboxed;
    m_items.fieldsBegin = isUnboxed ? 0 : kPointerBytes;
    m_items.begin = isUnboxed ? 0 : -kPointerBytes;
    m_items.end = isUnboxed ? std::int64_t{layout.valueSize.value_or(layout.fieldsBytes)}
                            : std::int64_t{layout.baseSize} - kPointerBytes;
  }

  LayoutItems build() {
    if (!m_items.isUnboxed) addObjectStart();
    addFields(m_layout.fields, LayoutItem::kNoItem, m_items.fieldsBegin);
    addPaddings(m_layout.paddings, LayoutItem::kNoItem, m_items.fieldsBegin);
    if (m_layout.kind == engine::TypeKind::Array && m_layout.fields.empty()) addArrayStart();
    if (m_layout.componentSize > 0 && !m_items.isUnboxed) addElements();
    if (m_layout.valueSize && !m_items.isUnboxed) addBoxEnd();
    for (const engine::InheritanceLevel& level : m_layout.levels) {
      const std::int64_t begin = m_items.fieldsBegin + level.offset;
      m_items.levels.push_back({level.typeName, begin, begin + level.sizeBytes});
    }
    sortAll();
    return std::move(m_items);
  }

 private:
  std::uint32_t add(LayoutItem item, std::uint32_t parent) {
    const auto number = static_cast<std::uint32_t>(m_items.items.size());
    item.parent = parent;
    item.depth = parent == LayoutItem::kNoItem ? 0 : m_items.items[parent].depth + 1;
    m_items.items.push_back(std::move(item));
    siblings(parent).push_back(number);
    m_items.end = std::max(m_items.end, m_items.items[number].end);
    return number;
  }

  std::vector<std::uint32_t>& siblings(std::uint32_t parent) {
    return parent == LayoutItem::kNoItem ? m_items.roots : m_items.items[parent].children;
  }

  static LayoutItem part(LayoutPart part, std::int64_t begin, std::int64_t bytes, std::string name = {}) {
    LayoutItem item;
    item.part = part;
    item.begin = begin;
    item.end = begin + bytes;
    item.name = std::move(name);
    return item;
  }

  void addObjectStart() {
    add(part(LayoutPart::Header, -kPointerBytes, kPointerBytes), LayoutItem::kNoItem);
    add(part(LayoutPart::MethodTable, 0, kPointerBytes), LayoutItem::kNoItem);
  }

  // `origin`: what the fields' offsets count from.
  void addFields(const std::vector<LayoutField>& fields, std::uint32_t parent, std::int64_t origin) {
    for (const LayoutField& field : fields) {
      if (field.repeat < kShortestRepetition) {
        for (std::uint32_t index = 0; index < field.repeat; ++index) addField(field, index, parent, origin);
        continue;
      }
      for (std::uint32_t index = 0; index < kShownOfRepetition; ++index) addField(field, index, parent, origin);
      addRepetition(field, parent, origin);
      addField(field, field.repeat - 1, parent, origin);
    }
  }

  static LayoutItem fieldItem(const LayoutField& field, LayoutPart kind, std::int64_t begin, std::int64_t bytes) {
    LayoutItem item = part(kind, begin, bytes, field.name);
    item.kind = field.kind;
    item.typeName = field.typeName;
    item.declaringType = field.declaringType;
    item.methodTable = field.methodTable;
    return item;
  }

  void addField(const LayoutField& field, std::uint32_t index, std::uint32_t parent, std::int64_t origin) {
    const std::int64_t shifted = origin + std::int64_t{index} * field.sizeBytes;
    LayoutItem item = fieldItem(field, LayoutPart::Field, shifted + field.offset, field.sizeBytes);
    if (field.repeat > 1) item.name = fmt::format("[{}]", index);
    const std::uint32_t number = add(std::move(item), parent);
    addFields(field.nested, number, shifted);
  }

  // The elements of an inline array or fixed buffer between the first ones and the last one.
  void addRepetition(const LayoutField& field, std::uint32_t parent, std::int64_t origin) {
    const std::uint32_t repeats = field.repeat - kShownOfRepetition - 1;
    const std::int64_t begin = origin + field.offset + std::int64_t{kShownOfRepetition} * field.sizeBytes;
    LayoutItem item = fieldItem(field, LayoutPart::Repeated, begin, std::int64_t{repeats} * field.sizeBytes);
    item.name.clear();
    item.repeats = repeats;
    add(std::move(item), parent);
  }

  void addPaddings(const std::vector<Padding>& paddings, std::uint32_t parent, std::int64_t origin) {
    for (const Padding& padding : paddings) {
      LayoutItem item = part(LayoutPart::Padding, origin + padding.offset, padding.sizeBytes);
      item.typeName = padding.in;
      std::uint32_t holder = parent;
      if (padding.isNested) holder = findHolder(parent, item);
      // Inside a repetition that is shown as one, it is not shown at all.
      const bool isHidden = holder != LayoutItem::kNoItem && m_items.items[holder].part == LayoutPart::Repeated;
      if (!isHidden) add(std::move(item), holder);
    }
  }

  // The value whose padding it is: the outermost one of that type around it, else the innermost one.
  std::uint32_t findHolder(std::uint32_t parent, const LayoutItem& padding) {
    std::uint32_t innermost = parent;
    for (const std::uint32_t child : siblings(parent)) {
      const LayoutItem& item = m_items.items[child];
      if (item.begin > padding.begin) break;
      const bool isAround = item.begin <= padding.begin && item.end >= padding.end;
      const bool isValue = item.canOpen() || item.part == LayoutPart::Repeated;
      if (!isAround || !isValue || item.part == LayoutPart::Padding) continue;
      if (item.typeName == padding.typeName) return child;
      const std::uint32_t inner = findHolder(child, padding);
      if (m_items.items[inner].typeName == padding.typeName) return inner;
      if (innermost == parent) innermost = inner;
    }
    return innermost;
  }

  void addArrayStart() {
    LayoutItem length = part(LayoutPart::Field, kPointerBytes, kArrayLengthBytes, "Length");
    length.typeName = "System.Int32";
    add(std::move(length), LayoutItem::kNoItem);
    const std::int64_t behind = kPointerBytes + kArrayLengthBytes;
    add(part(LayoutPart::Unused, behind, kPointerBytes - kArrayLengthBytes), LayoutItem::kNoItem);
    const bool hasBounds = std::int64_t{m_layout.elementOffset} > 2 * kPointerBytes;
    for (std::uint32_t bound = 0; hasBounds && bound < 2 * m_layout.rank; ++bound) {
      const bool isLength = bound < m_layout.rank;
      const std::string index = fmt::format("[{}]", isLength ? bound : bound - m_layout.rank);
      LayoutItem item = part(LayoutPart::Field, 2 * kPointerBytes + bound * kArrayLengthBytes, kArrayLengthBytes,
                             (isLength ? "length" : "lower bound") + index);
      item.typeName = "System.Int32";
      add(std::move(item), LayoutItem::kNoItem);
    }
  }

  // A string's first character is a field of it.
  std::int64_t elementsStart() const {
    const bool isString = m_layout.kind == engine::TypeKind::String && !m_layout.fields.empty();
    return isString ? m_items.fieldsBegin + m_layout.fields.back().offset : std::int64_t{m_layout.elementOffset};
  }

  void addElements() {
    const std::int64_t stride = m_layout.componentSize;
    const std::int64_t start = elementsStart();
    const bool isFirstAField = m_layout.kind == engine::TypeKind::String;
    const std::int64_t shown = std::clamp<std::int64_t>(kElementsShownBytes / stride, 2, 8);
    std::int64_t at = start + (isFirstAField ? stride : 0);
    for (std::int64_t index = isFirstAField ? 1 : 0; index < shown; ++index, at += stride) addElement(index, at);
    const std::int64_t behind = (at / kPointerBytes + 1) * kPointerBytes;
    LayoutItem rest = part(LayoutPart::Repeated, at, behind - at);
    rest.kind = m_layout.elementKind;
    rest.typeName = elementTypeName();
    add(std::move(rest), LayoutItem::kNoItem);
  }

  std::string elementTypeName() const {
    return m_layout.kind == engine::TypeKind::String ? "System.Char" : m_layout.elementTypeName;
  }

  void addElement(std::int64_t index, std::int64_t at) {
    LayoutItem item = part(LayoutPart::Element, at, m_layout.componentSize, fmt::format("[{}]", index));
    item.kind = m_layout.elementKind;
    item.typeName = elementTypeName();
    const std::uint32_t number = add(std::move(item), LayoutItem::kNoItem);
    if (m_layout.elementLayout.empty() || m_items.items[number].kind != FieldKind::ValueType) return;
    const TypeLayout& element = m_layout.elementLayout.front();
    m_items.items[number].methodTable = element.methodTable;
    addFields(element.fields, number, at);
    addPaddings(element.paddings, number, at);
  }

  // The box rounds the value up to 8 bytes.
  void addBoxEnd() {
    const std::int64_t valueEnd = m_items.fieldsBegin + *m_layout.valueSize;
    const std::int64_t boxEnd = std::int64_t{m_layout.baseSize} - kPointerBytes;
    if (boxEnd <= valueEnd) return;
    LayoutItem item = part(LayoutPart::Padding, valueEnd, boxEnd - valueEnd, "box");
    item.typeName = m_layout.typeName;
    add(std::move(item), LayoutItem::kNoItem);
  }

  void sortAll() {
    // The longer of two that begin together is the outer one of a union: first.
    const auto isBefore = [this](std::uint32_t left, std::uint32_t right) {
      const LayoutItem& a = m_items.items[left];
      const LayoutItem& b = m_items.items[right];
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    };
    std::ranges::stable_sort(m_items.roots, isBefore);
    for (LayoutItem& item : m_items.items) std::ranges::stable_sort(item.children, isBefore);
  }

  const TypeLayout& m_layout;
  LayoutItems m_items;
};

}  // namespace

LayoutItems buildLayoutItems(const TypeLayout& layout, bool isUnboxed) {
  return ItemsBuilder(layout, isUnboxed && layout.valueSize.has_value()).build();
}

bool holdsPadding(const LayoutItems& items, std::uint32_t item) {
  if (items[item].part == LayoutPart::Padding) return true;
  return std::ranges::any_of(items[item].children,
                             [&items](std::uint32_t child) { return holdsPadding(items, child); });
}

}  // namespace heapscape::gui
