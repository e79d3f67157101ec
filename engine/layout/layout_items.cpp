// SPDX-License-Identifier: MIT
#include "layout/layout_items.h"

#include <fmt/format.h>
#include <algorithm>
#include <numeric>
#include <ranges>

#include "base/address.h"
#include "base/limits.h"

namespace heapscape::engine {

std::vector<bool> overlappingFields(std::span<const LayoutField> fields) {
  std::vector<bool> overlaps(fields.size());
  std::uint64_t reached = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::uint64_t end = fields[i].offset + std::uint64_t{fields[i].sizeBytes} * fields[i].repeat;
    const bool holdsNext = i + 1 < fields.size() && fields[i + 1].offset < end;
    overlaps[i] = fields[i].offset < reached || holdsNext;
    reached = std::max(reached, end);
  }
  return overlaps;
}

namespace {

constexpr std::int64_t kWordBytes = kPointerBytes;
constexpr std::int64_t kArrayLengthBytes = 4;
constexpr std::uint32_t kShortestRepetition = 12;  // fewer are shown one by one
constexpr std::uint32_t kShownOfRepetition = 2;    // at its start; and the last one
constexpr std::int64_t kElementsShownBytes = 16;
constexpr std::size_t kOverlapName = 200;  // bytes of the name of fields that overlap

LayoutItem partOf(LayoutPart part, std::int64_t begin, std::int64_t bytes, std::string name = {}) {
  LayoutItem item;
  item.part = part;
  item.begin = begin;
  item.end = begin + bytes;
  item.name = std::move(name);
  return item;
}

/// `count` of a field's repeats from the one with number `first` on. `origin`: what the fields' offsets count from.
LayoutItem itemOf(const LayoutField& field, std::uint32_t first, std::uint32_t count, std::int64_t origin) {
  const std::int64_t begin = origin + field.offset + std::int64_t{first} * field.sizeBytes;
  LayoutItem item = partOf(LayoutPart::Field, begin, std::int64_t{count} * field.sizeBytes, field.name);
  item.kind = field.kind;
  item.typeName = field.typeName;
  item.declaringType = field.declaringType;
  item.methodTable = field.methodTable;
  item.repeats = count;
  return item;
}

class ItemsBuilder {
 public:
  ItemsBuilder(const TypeLayout& layout, bool isUnboxed, FieldRows rows, std::optional<std::uint64_t> length)
      : m_layout(layout), m_rows(rows), m_length(length) {
    m_items.isUnboxed = isUnboxed;
    m_items.fieldsBegin = isUnboxed ? 0 : kWordBytes;
    m_items.begin = isUnboxed ? 0 : -kWordBytes;
    m_items.end = isUnboxed ? std::int64_t{layout.valueSize.value_or(layout.fieldsBytes)}
                            : std::int64_t{layout.baseSize} - kWordBytes;
  }

  LayoutItems build() {
    if (!m_items.isUnboxed) addObjectStart();
    addFields(m_layout.fields, LayoutItem::kNoItem, m_items.fieldsBegin);
    addPaddings(m_layout.paddings, LayoutItem::kNoItem, m_items.fieldsBegin);
    if (m_layout.kind == TypeKind::Array && m_layout.fields.empty()) addArrayStart();
    if (m_layout.componentSize > 0 && !m_items.isUnboxed) addElements();
    if (m_layout.valueSize && !m_items.isUnboxed) addBoxEnd();
    for (const InheritanceLevel& level : m_layout.levels) {
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

  void addObjectStart() {
    add(partOf(LayoutPart::Header, -kWordBytes, kWordBytes), LayoutItem::kNoItem);
    add(partOf(LayoutPart::MethodTable, 0, kWordBytes), LayoutItem::kNoItem);
  }

  void addFields(const std::vector<LayoutField>& fields, std::uint32_t parent, std::int64_t origin) {
    const std::vector<bool> overlaps = overlappingFields(fields);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const std::size_t before = siblings(parent).size();
      addRow(fields[i], parent, origin);
      for (const std::uint32_t item : siblings(parent) | std::views::drop(before))
        m_items.items[item].overlaps = overlaps[i];
    }
  }

  void addRow(const LayoutField& field, std::uint32_t parent, std::int64_t origin) {
    if (m_rows == FieldRows::AsOne) {
      addField(field, 0, field.repeat, parent, origin);
      return;
    }
    if (field.repeat < kShortestRepetition) {
      addEach(field, field.repeat, parent, origin);
      return;
    }
    addEach(field, kShownOfRepetition, parent, origin);
    LayoutItem rest = itemOf(field, kShownOfRepetition, field.repeat - kShownOfRepetition - 1, origin);
    rest.part = LayoutPart::Repeated;
    rest.name.clear();
    add(std::move(rest), parent);
    addField(field, field.repeat - 1, 1, parent, origin);
  }

  void addEach(const LayoutField& field, std::uint32_t count, std::uint32_t parent, std::int64_t origin) {
    for (std::uint32_t index = 0; index < count; ++index) addField(field, index, 1, parent, origin);
  }

  void addField(const LayoutField& field, std::uint32_t first, std::uint32_t count, std::uint32_t parent,
                std::int64_t origin) {
    LayoutItem item = itemOf(field, first, count, origin);
    if (count < field.repeat) item.name = fmt::format("[{}]", first);
    const std::uint32_t number = add(std::move(item), parent);
    addFields(field.nested, number, origin + std::int64_t{first} * field.sizeBytes);
  }

  void addPaddings(const std::vector<Padding>& paddings, std::uint32_t parent, std::int64_t origin) {
    for (const Padding& padding : paddings) {
      LayoutItem item = partOf(LayoutPart::Padding, origin + padding.offset, padding.sizeBytes);
      item.typeName = padding.in;
      item.why = padding.why;
      std::vector<std::uint32_t> holders;
      const std::uint32_t innermost = padding.isNested ? findHolders(parent, item, holders) : parent;
      if (holders.empty()) holders.push_back(innermost);
      for (const std::uint32_t holder : holders) {
        // Inside a repetition that is shown as one, there is only the sum.
        const bool isHidden = holder != LayoutItem::kNoItem && m_items.items[holder].part == LayoutPart::Repeated;
        if (isHidden) {
          m_items.items[holder].hiddenPaddingBytes += item.sizeBytes();
        } else {
          add(item, holder);
        }
      }
    }
  }

  // The values of its type around it whose padding it is: one, in a union several. Gives the innermost value around it.
  std::uint32_t findHolders(std::uint32_t parent, const LayoutItem& padding, std::vector<std::uint32_t>& holders) {
    std::uint32_t innermost = parent;
    for (const std::uint32_t child : siblings(parent)) {
      const LayoutItem& item = m_items.items[child];
      if (item.begin > padding.begin) break;
      const bool isAround = item.begin <= padding.begin && item.end >= padding.end;
      const bool isValue = item.canOpen() || item.part == LayoutPart::Repeated;
      if (!isAround || !isValue || item.part == LayoutPart::Padding) continue;
      if (item.typeName == padding.typeName) {
        holders.push_back(child);
        continue;
      }
      const std::uint32_t inner = findHolders(child, padding, holders);
      if (innermost == parent) innermost = inner;
    }
    return innermost;
  }

  void addArrayStart() {
    LayoutItem length = partOf(LayoutPart::Field, kWordBytes, kArrayLengthBytes, "Length");
    length.typeName = "System.Int32";
    add(std::move(length), LayoutItem::kNoItem);
    const std::int64_t behind = kWordBytes + kArrayLengthBytes;
    add(partOf(LayoutPart::Unused, behind, kWordBytes - kArrayLengthBytes), LayoutItem::kNoItem);
    const bool hasBounds = std::int64_t{m_layout.elementOffset} > 2 * kWordBytes;
    for (std::uint32_t bound = 0; hasBounds && bound < 2 * m_layout.rank; ++bound) {
      const bool isLength = bound < m_layout.rank;
      const std::string index = fmt::format("[{}]", isLength ? bound : bound - m_layout.rank);
      LayoutItem item = partOf(LayoutPart::Field, 2 * kWordBytes + bound * kArrayLengthBytes, kArrayLengthBytes,
                               (isLength ? "length" : "lower bound") + index);
      item.typeName = "System.Int32";
      add(std::move(item), LayoutItem::kNoItem);
    }
  }

  // A string's first character is a field of it.
  std::int64_t elementsStart() const {
    const bool isString = m_layout.kind == TypeKind::String && !m_layout.fields.empty();
    return isString ? m_items.fieldsBegin + m_layout.fields.back().offset : std::int64_t{m_layout.elementOffset};
  }

  void addElements() {
    const std::int64_t stride = m_layout.componentSize;
    const std::int64_t start = elementsStart();
    const bool isFirstAField = m_layout.kind == TypeKind::String;
    const std::int64_t first = isFirstAField ? 1 : 0;
    std::int64_t shown = std::clamp<std::int64_t>(kElementsShownBytes / stride, 2, 8);
    const auto length = static_cast<std::int64_t>(m_length.value_or(0));
    // What is left out would take no more room than its mention.
    if (m_length && length <= shown + 2) shown = length;
    for (std::int64_t index = first; index < shown; ++index) addElement(index, start + index * stride);
    if (!m_length) {
      addOpenEnd(start + std::max(first, shown) * stride);
      return;
    }
    if (shown < length) {
      addMoreElements(start + shown * stride, length - 1 - shown);
      addElement(length - 1, start + (length - 1) * stride);
    }
    addObjectEnd(start + std::max(first, length) * stride, length);
  }

  // Adds the end of an array whose length is not known.
  void addOpenEnd(std::int64_t at) {
    const std::int64_t behind = (at / kWordBytes + 1) * kWordBytes;
    LayoutItem rest = elementsAt(at, behind - at);
    rest.repeats = 0;
    rest.mostTailBytes = kWordBytes - std::gcd(std::int64_t{m_layout.componentSize}, kWordBytes);
    rest.hiddenPaddingBytes = elementPaddingBytes();
    add(std::move(rest), LayoutItem::kNoItem);
  }

  void addMoreElements(std::int64_t at, std::int64_t count) {
    LayoutItem rest = elementsAt(at, count * m_layout.componentSize);
    rest.repeats = static_cast<std::uint64_t>(count);
    rest.hiddenPaddingBytes = count * elementPaddingBytes();
    add(std::move(rest), LayoutItem::kNoItem);
  }

  // The zero behind a string's characters, and the padding at the end. An empty string's zero is its first character.
  void addObjectEnd(std::int64_t elementsEnd, std::int64_t length) {
    const std::int64_t end = std::int64_t{m_layout.baseSize} - kWordBytes + length * m_layout.componentSize;
    if (end > elementsEnd) {
      LayoutItem terminator = partOf(LayoutPart::Element, elementsEnd, end - elementsEnd, "terminator");
      terminator.typeName = elementTypeName();
      add(std::move(terminator), LayoutItem::kNoItem);
    }
    const auto rounded = static_cast<std::int64_t>(alignUp(static_cast<std::uint64_t>(end), kPointerBytes));
    if (rounded == end) return;
    LayoutItem padding = partOf(LayoutPart::Padding, end, rounded - end, "end");
    padding.typeName = m_layout.typeName;
    add(std::move(padding), LayoutItem::kNoItem);
  }

  LayoutItem elementsAt(std::int64_t at, std::int64_t bytes) const {
    LayoutItem item = partOf(LayoutPart::Repeated, at, bytes);
    item.kind = m_layout.elementKind;
    item.typeName = elementTypeName();
    return item;
  }

  std::int64_t elementPaddingBytes() const {
    std::int64_t bytes = 0;
    if (m_layout.elementLayout.empty() || m_layout.elementKind != FieldKind::ValueType) return bytes;
    for (const Padding& padding : m_layout.elementLayout.front().paddings) bytes += padding.sizeBytes;
    return bytes;
  }

  std::string elementTypeName() const {
    return m_layout.kind == TypeKind::String ? "System.Char" : m_layout.elementTypeName;
  }

  void addElement(std::int64_t index, std::int64_t at) {
    LayoutItem item = partOf(LayoutPart::Element, at, m_layout.componentSize, fmt::format("[{}]", index));
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
    const std::int64_t boxEnd = std::int64_t{m_layout.baseSize} - kWordBytes;
    if (boxEnd <= valueEnd) return;
    LayoutItem item = partOf(LayoutPart::Padding, valueEnd, boxEnd - valueEnd, "box");
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
  FieldRows m_rows;
  std::optional<std::uint64_t> m_length;
  LayoutItems m_items;
};

class LeafCollector {
 public:
  void add(const std::vector<LayoutField>& fields, const std::string& path, std::int64_t origin) {
    for (const LayoutField& field : fields) {
      for (std::uint32_t index = 0; index < field.repeat && m_leaves.size() < kLimits.nestedValues; ++index) {
        LayoutItem item = itemOf(field, index, 1, origin);
        if (field.repeat > 1) {
          item.name = fmt::format("{}[{}]", path, index);
        } else if (!path.empty()) {
          item.name = path + "." + field.name;
        }
        if (!field.nested.empty()) {
          add(field.nested, item.name, origin + std::int64_t{index} * field.sizeBytes);
        } else if (item.sizeBytes() > 0) {
          m_leaves.push_back(std::move(item));
        }
      }
    }
  }

  std::vector<LayoutItem> finish() {
    std::ranges::stable_sort(m_leaves, {}, &LayoutItem::begin);
    std::vector<LayoutItem> apart;
    for (LayoutItem& leaf : m_leaves) {
      if (apart.empty() || leaf.begin >= apart.back().end) {
        apart.push_back(std::move(leaf));
      } else {
        join(apart.back(), leaf);
      }
    }
    return apart;
  }

 private:
  static void join(LayoutItem& under, const LayoutItem& over) {
    under.end = std::max(under.end, over.end);
    under.overlaps = true;
    if (under.name.size() < kOverlapName) under.name += " | " + over.name;
    under.typeName.clear();
  }

  std::vector<LayoutItem> m_leaves;
};

}  // namespace

LayoutItems buildLayoutItems(const TypeLayout& layout, bool isUnboxed, FieldRows rows,
                             std::optional<std::uint64_t> length) {
  return ItemsBuilder(layout, isUnboxed && layout.valueSize.has_value(), rows, length).build();
}

std::vector<LayoutItem> leafItems(const std::vector<LayoutField>& fields) {
  LeafCollector collector;
  collector.add(fields, {}, 0);
  return collector.finish();
}

bool holdsPadding(const LayoutItems& items, std::uint32_t item) {
  if (items[item].part == LayoutPart::Padding) return true;
  return std::ranges::any_of(items[item].children,
                             [&items](std::uint32_t child) { return holdsPadding(items, child); });
}

}  // namespace heapscape::engine
