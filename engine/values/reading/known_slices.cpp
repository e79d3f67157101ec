// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "values/collections/kinds/collection_makers.h"
#include "values/reading/known_value.h"
#include "values/quoted_text.h"
#include "values/reading/slot_reader.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kElementsShown = 8;
constexpr std::size_t kSliceTextShown = 200;
constexpr std::uint32_t kIndexMask = 0x7fffffff;  // the highest bit of a Memory's index says that the array is pinned

/// "System.Int32[1..4] { 11, 12, 13 }", of characters their text.
std::optional<std::string> sliceText(const KnownValue& value, std::uint32_t first, CollectionMaker make) {
  const InstanceSources sources = value.reader.instances();
  const auto slice = make(Instance(sources, value.shape, value.field.address));
  if (!slice || !(*slice)->facts().damage.empty()) return std::nullopt;
  const CollectionFacts& facts = (*slice)->facts();
  if (facts.count == 0) return "empty";
  const std::string type = sources.readers.names.nameOf(facts.valueType);
  const bool isText = type == "System.Char";
  ItemCollector items(0, isText ? value.reader.sources().previewUnits : kElementsShown, {});
  if (!(*slice)->collect(items).empty()) return std::nullopt;
  const bool isCut = items.places().size() < facts.count;
  if (isText) {
    std::u16string text;
    for (const ItemPlace& item : items.places()) {
      char16_t unit = 0;
      if (!value.memory.tryRead(item.value, unit)) return std::nullopt;
      text += unit;
    }
    return quotedText(text) + (isCut ? "…" : "");
  }
  std::string text = fmt::format("{}[{}..{}] {{ ", type, first, first + facts.count);
  const Slot slot = sources.shapes.slotOf(facts.valueType);
  SlotReader slots(value.reader, items.places().size(), value.references);
  std::size_t shown = 0;
  for (const ItemPlace& item : items.places()) {
    if (text.size() > kSliceTextShown) break;
    const Value element = slots.read(slot, item.value, 0).value;
    text += (shown++ ? ", " : "") + (element.kind == ValueKind::Damaged ? std::string("?") : element.text);
  }
  return text + (shown < facts.count ? ", … }" : " }");
}

}  // namespace

std::optional<std::string> memoryText(const KnownValue& value) {
  const auto index = value.number<std::uint32_t>("_index");
  return index ? sliceText(value, *index & kIndexMask, makeMemory) : std::nullopt;
}

// A span leads to where its items lie, which may be anywhere.
std::optional<std::string> spanText(const KnownValue& value) {
  const auto first = value.number<Address>("_reference");
  const auto count = value.number<std::int32_t>("_length");
  const InstanceSources sources = value.reader.instances();
  const auto type = Instance(sources, value.shape, value.field.address).typeArgument(0);
  if (!first || !count || *count < 0 || !type) return std::nullopt;
  if (*count == 0) return "empty";
  const auto all = static_cast<std::uint32_t>(*count);
  const std::string name = sources.readers.names.nameOf(*type);
  if (name == "System.Char") {
    std::u16string text(std::min<std::size_t>(all, value.reader.sources().previewUnits), u'\0');
    if (!value.memory.tryRead(*first, std::as_writable_bytes(std::span(text)))) return std::nullopt;
    return quotedText(text) + (text.size() < all ? "…" : "");
  }
  const Slot slot = sources.shapes.slotOf(*type);
  if (slot.sizeBytes == 0) return std::nullopt;
  const std::size_t most = std::min<std::size_t>(all, kElementsShown);
  SlotReader slots(value.reader, most, value.references);
  std::string text = fmt::format("{}[{}] {{ ", name, all);
  std::size_t shown = 0;
  for (; shown < most && text.size() <= kSliceTextShown; ++shown) {
    const Value element = slots.read(slot, *first + shown * std::uint64_t{slot.sizeBytes}, 0).value;
    text += (shown ? ", " : "") + (element.kind == ValueKind::Damaged ? std::string("?") : element.text);
  }
  return text + (shown < all ? ", … }" : " }");
}

std::optional<std::string> arraySegmentText(const KnownValue& value) {
  const auto offset = value.number<std::uint32_t>("_offset");
  return offset ? sliceText(value, *offset, makeArraySegment) : std::nullopt;
}

}  // namespace heapscape::engine
