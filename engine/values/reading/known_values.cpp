// SPDX-License-Identifier: MIT
#include "values/reading/known_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <vector>

#include "heap/object_head.h"
#include "runtime/types/method_tables.h"
#include "values/collections/kinds/collection_makers.h"
#include "values/primitive_values.h"
#include "values/reading/fsharp_values.h"
#include "values/reading/slot_reader.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kTicksPerSecond = 10'000'000;
constexpr std::uint64_t kTicksPerMinute = 60 * kTicksPerSecond;
constexpr std::uint64_t kTicksPerDay = 24 * 60 * kTicksPerMinute;
constexpr std::uint32_t kDays = 3'652'059;  // from 0001-01-01 to behind 9999-12-31
// DateTime.cs: the upper two bits are the kind, the lower 62 the ticks.
constexpr std::uint64_t kTicksMask = (1ull << 62) - 1;
constexpr std::uint64_t kKindUtc = 1;

std::string dayText(std::uint64_t day) {
  using std::chrono::days, std::chrono::sys_days, std::chrono::year;
  const sys_days first = year{1} / 1 / 1;
  const std::chrono::year_month_day date(first + days(static_cast<int>(day)));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

// "12:30:00", with all seven digits of a fraction if there is one.
std::string timeText(std::uint64_t ticks) {
  const std::uint64_t seconds = ticks / kTicksPerSecond;
  std::string text = fmt::format("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  if (const std::uint64_t fraction = ticks % kTicksPerSecond) text += fmt::format(".{:07}", fraction);
  return text;
}

std::optional<std::string> momentText(std::uint64_t ticks) {
  if (ticks / kTicksPerDay >= kDays) return std::nullopt;
  return dayText(ticks / kTicksPerDay) + " " + timeText(ticks % kTicksPerDay);
}

}  // namespace

std::optional<std::string> dateTimeText(const KnownValue& value) {
  const auto data = value.number<std::uint64_t>("_dateData");
  if (!data) return std::nullopt;
  auto text = momentText(*data & kTicksMask);
  const std::uint64_t kind = *data >> 62;
  if (text && kind) *text += kind == kKindUtc ? " UTC" : " local";
  return text;
}

std::optional<std::string> dateTimeOffsetText(const KnownValue& value) {
  const FieldShape* moment = value.shape.field("_dateTime");
  std::uint64_t data = 0;
  if (!moment || moment->slot.sizeBytes != sizeof data ||
      !value.reader.tryRead(value.field.address + moment->offset, data)) {
    return std::nullopt;
  }
  std::int64_t minutes = 0;
  if (const auto narrow = value.number<std::int16_t>("_offsetMinutes")) {
    minutes = *narrow;
  } else if (const auto wide = value.number<std::int32_t>("_offsetMinutes")) {
    minutes = *wide;
  } else {
    return std::nullopt;
  }
  // The moment is kept in UTC, and shown where it was taken.
  const auto ticks =
      static_cast<std::int64_t>(data & kTicksMask) + minutes * static_cast<std::int64_t>(kTicksPerMinute);
  auto text = ticks < 0 ? std::nullopt : momentText(static_cast<std::uint64_t>(ticks));
  const std::int64_t away = minutes < 0 ? -minutes : minutes;
  if (text) *text += fmt::format(" {}{:02}:{:02}", minutes < 0 ? '-' : '+', away / 60, away % 60);
  return text;
}

std::optional<std::string> timeSpanText(const KnownValue& value) {
  const auto ticks = value.number<std::int64_t>("_ticks");
  if (!ticks) return std::nullopt;
  const std::uint64_t amount = *ticks < 0 ? 0 - static_cast<std::uint64_t>(*ticks) : static_cast<std::uint64_t>(*ticks);
  const std::uint64_t days = amount / kTicksPerDay;
  return (*ticks < 0 ? "-" : "") + (days ? fmt::format("{}.", days) : "") + timeText(amount % kTicksPerDay);
}

std::optional<std::string> dateOnlyText(const KnownValue& value) {
  const auto day = value.number<std::uint32_t>("_dayNumber");
  return day && *day < kDays ? std::optional(dayText(*day)) : std::nullopt;
}

std::optional<std::string> timeOnlyText(const KnownValue& value) {
  const auto ticks = value.number<std::uint64_t>("_ticks");
  return ticks && *ticks < kTicksPerDay ? std::optional(timeText(*ticks)) : std::nullopt;
}

namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint32_t kBillion = 1'000'000'000;
constexpr std::size_t kMaximumWords = 128;  // 1,233 digits: a longer BigInteger is told by its length
constexpr std::uint32_t kMaximumScale = 28;

// Decimal digits of a number of 32-bit words, the lowest first.
std::string digitsOf(std::vector<std::uint32_t> words) {
  std::string digits;
  while (!words.empty()) {
    std::uint64_t rest = 0;
    for (std::size_t i = words.size(); i-- > 0;) {
      const std::uint64_t part = rest << 32 | words[i];
      words[i] = static_cast<std::uint32_t>(part / kBillion);
      rest = part % kBillion;
    }
    while (!words.empty() && words.back() == 0) words.pop_back();
    const std::string group = words.empty() ? fmt::to_string(rest) : fmt::format("{:09}", rest);
    digits.insert(0, group);
  }
  return digits.empty() ? "0" : digits;
}

std::string digitsOf(Wide number) {
  std::vector<std::uint32_t> words;
  for (; number; number >>= 32) words.push_back(static_cast<std::uint32_t>(number));
  return digitsOf(std::move(words));
}

std::optional<Wide> wideNumber(const KnownValue& value) {
  const auto lower = value.number<std::uint64_t>("_lower");
  const auto upper = value.number<std::uint64_t>("_upper");
  if (!lower || !upper) return std::nullopt;
  return static_cast<Wide>(*upper) << 64 | *lower;
}

}  // namespace

std::optional<std::string> guidText(const KnownValue& value) {
  const auto a = value.number<std::uint32_t>("_a");
  const auto b = value.number<std::uint16_t>("_b");
  const auto c = value.number<std::uint16_t>("_c");
  std::string text = a && b && c ? fmt::format("{:08x}-{:04x}-{:04x}-", *a, *b, *c) : std::string();
  for (const char* name : {"_d", "_e", "_f", "_g", "_h", "_i", "_j", "_k"}) {
    const auto byte = value.number<std::uint8_t>(name);
    if (!byte || text.empty()) return std::nullopt;
    text += fmt::format("{:02x}", *byte);
    if (name[1] == 'e') text += '-';
  }
  return text;
}

// Decimal.cs: the sign and the power of ten are in the flags.
std::optional<std::string> decimalText(const KnownValue& value) {
  const auto flags = value.number<std::uint32_t>("_flags");
  const auto high = value.number<std::uint32_t>("_hi32");
  const auto low = value.number<std::uint64_t>("_lo64");
  if (!flags || !high || !low) return std::nullopt;
  const std::uint32_t scale = *flags >> 16 & 0xff;
  if (scale > kMaximumScale) return std::nullopt;
  std::string digits = digitsOf(static_cast<Wide>(*high) << 64 | *low);
  if (digits.size() <= scale) digits.insert(0, scale + 1 - digits.size(), '0');
  if (scale) digits.insert(digits.size() - scale, 1, '.');
  const bool isZero = !*high && !*low;
  return (*flags >> 31 && !isZero ? "-" : "") + digits;
}

std::optional<std::string> halfValueText(const KnownValue& value) {
  const auto bits = value.number<std::uint16_t>("_value");
  return bits ? std::optional(halfText(*bits)) : std::nullopt;
}

// The upper half of a float.
std::optional<std::string> bfloat16ValueText(const KnownValue& value) {
  const auto bits = value.number<std::uint16_t>("_value");
  return bits ? std::optional(realText(std::bit_cast<float>(std::uint32_t{*bits} << 16))) : std::nullopt;
}

std::optional<std::string> int128Text(const KnownValue& value) {
  const auto number = wideNumber(value);
  if (!number) return std::nullopt;
  const bool isNegative = *number >> 127 != 0;
  return (isNegative ? "-" : "") + digitsOf(isNegative ? Wide{0} - *number : *number);
}

std::optional<std::string> uint128Text(const KnownValue& value) {
  const auto number = wideNumber(value);
  return number ? std::optional(digitsOf(*number)) : std::nullopt;
}

// BigInteger.cs: small numbers are in _sign, others are the words in _bits with the sign of _sign; since .NET 11 words
// of the processor.
std::optional<std::string> bigIntegerText(const KnownValue& value) {
  const auto sign = value.number<std::int32_t>("_sign");
  const auto bits = value.number<Address>("_bits");
  if (!sign || !bits) return std::nullopt;
  if (!*bits) return fmt::to_string(*sign);
  const auto type = value.memory.readPointer(*bits);
  const TypeShape* shape = type ? value.reader.shapes().find({type->value & kMethodTableMask}) : nullptr;
  constexpr std::uint32_t kWordBytes = sizeof(std::uint32_t);
  std::uint32_t elements = 0;
  if (!shape || !shape->type.isSzArray ||
      (shape->type.componentSize != kWordBytes && shape->type.componentSize != 2 * kWordBytes) ||
      !value.memory.tryRead(*bits + kComponentsOffset, elements)) {
    return std::nullopt;
  }
  const std::uint64_t count = std::uint64_t{elements} * (shape->type.componentSize / kWordBytes);
  if (count > kMaximumWords) return fmt::format("{}a number of {} bits", *sign < 0 ? "minus " : "", 32ull * count);
  std::vector<std::uint32_t> words(count);
  if (!value.memory.tryRead(*bits + (shape->type.baseSize - 8), std::as_writable_bytes(std::span(words))))
    return std::nullopt;
  return (*sign < 0 ? "-" : "") + digitsOf(std::move(words));
}

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

namespace {

std::optional<std::string> indexText(const KnownValue& value) {
  const auto index = value.number<std::int32_t>("_value");
  if (!index) return std::nullopt;
  // Counted from the end, it is stored as its complement (Index.cs).
  return *index < 0 ? fmt::format("^{}", ~*index) : fmt::to_string(*index);
}

std::optional<std::string> rangeText(const KnownValue& value) {
  const auto start = value.text("<Start>k__BackingField");
  const auto end = value.text("<End>k__BackingField");
  if (!start || !end) return std::nullopt;
  return fmt::format("{}..{}", *start, *end);
}

std::optional<std::string> pairText(const KnownValue& value) {
  const auto key = value.text("key");
  const auto held = value.text("value");
  if (!key || !held) return std::nullopt;
  return fmt::format("[{}, {}]", *key, *held);
}

std::optional<std::string> tupleText(const KnownValue& value) {
  std::string text;
  for (const FieldShape& part : value.shape.fields) {
    if (!part.name.starts_with("Item") && part.name != "Rest") return std::nullopt;
  }
  // By name, since the runtime orders the fields by size; from the eighth on the items are in a tuple of their own.
  for (int i = 1; i <= 8; ++i) {
    auto item = value.text(i == 8 ? std::string("Rest") : fmt::format("Item{}", i));
    if (!item) continue;
    if (i == 8 && item->starts_with('(') && item->ends_with(')')) item = item->substr(1, item->size() - 2);
    text += (i > 1 ? ", " : "") + *item;
  }
  return "(" + text + ")";
}

std::optional<std::string> runeText(const KnownValue& value) {
  const auto scalar = value.number<std::uint32_t>("_value");
  if (!scalar || *scalar > 0x10ffff) return std::nullopt;
  const std::uint32_t above = *scalar - 0x10000;
  const std::array<char16_t, 2> pair{static_cast<char16_t>(0xd800 + (above >> 10)),
                                     static_cast<char16_t>(0xdc00 + (above & 0x3ff))};
  const char16_t unit = static_cast<char16_t>(*scalar);
  return quotedText(*scalar < 0x10000 ? std::u16string_view(&unit, 1) : std::u16string_view(pair.data(), 2));
}

std::optional<std::string> cancellationTokenText(const KnownValue& value) {
  const auto source = value.number<Address>("_source");
  if (!source) return std::nullopt;
  if (!*source) return "none";
  const auto type = value.memory.readPointer(*source);
  const TypeShape* shape = type ? value.reader.shapes().find(*type) : nullptr;
  // Derived sources add nothing, but the field belongs to the base.
  for (int level = 0; shape && !shape->field("_state") && level < 4; ++level)
    shape = value.reader.shapes().find(shape->type.parent);
  const FieldShape* state = shape ? shape->field("_state") : nullptr;
  std::int32_t number = 0;
  if (!state || !value.memory.tryRead(*source + kFieldsStart + state->offset, number)) return std::nullopt;
  return number == 0 ? "not cancelled" : "cancelled";
}

struct ReadableType {
  std::string_view name;  // without type arguments
  KnownText text = nullptr;
  bool showsContents = false;       // of objects that it refers to
  WholeKnownValue whole = nullptr;  // in place of the text
};

constexpr auto kKnownValues = std::to_array<ReadableType>({
    {"System.ArraySegment", arraySegmentText, true},
    {"System.Collections.Generic.KeyValuePair", pairText},
    {"System.DateOnly", dateOnlyText},
    {"System.DateTime", dateTimeText},
    {"System.DateTimeOffset", dateTimeOffsetText},
    {"System.Decimal", decimalText},
    {"System.Guid", guidText},
    {"System.Half", halfValueText},
    {"System.Index", indexText},
    {"System.Int128", int128Text},
    {"System.Memory", memoryText, true},
    {"System.ModuleHandle", onlyFieldText},
    {"System.Numerics.BFloat16", bfloat16ValueText},
    {"System.Numerics.BigInteger", bigIntegerText},
    {"System.Range", rangeText},
    {"System.ReadOnlyMemory", memoryText, true},
    {"System.ReadOnlySpan", spanText, true},
    {"System.Runtime.DependentHandle", nullptr, false, gcHandleValue},
    {"System.Runtime.InteropServices.GCHandle", nullptr, false, gcHandleValue},
    {"System.Runtime.InteropServices.PinnedGCHandle", nullptr, false, gcHandleValue},
    {"System.Runtime.InteropServices.WeakGCHandle", nullptr, false, gcHandleValue},
    {"System.RuntimeFieldHandle", onlyFieldText},
    {"System.RuntimeFieldHandleInternal", fieldHandleText},
    {"System.RuntimeMethodHandle", onlyFieldText},
    {"System.RuntimeMethodHandleInternal", methodHandleText},
    {"System.RuntimeTypeHandle", onlyFieldText},
    {"System.Span", spanText, true},
    {"System.Text.Json.JsonElement", jsonElementText, true},
    {"System.Text.Rune", runeText},
    {"System.Threading.CancellationToken", cancellationTokenText},
    {"System.TimeOnly", timeOnlyText},
    {"System.TimeSpan", timeSpanText},
    {"System.UInt128", uint128Text},
    {"System.ValueTuple", tupleText},
});
static_assert(std::ranges::is_sorted(kKnownValues, {}, &ReadableType::name));

// The name without type arguments; empty for a type nested in a generic one.
std::string_view definitionName(std::string_view name) {
  const std::size_t arguments = name.find('<');
  if (arguments == std::string_view::npos) return name;
  return name.ends_with('>') ? name.substr(0, arguments) : std::string_view{};
}

}  // namespace

std::optional<std::string> KnownValue::text(std::string_view name) const {
  const auto found = std::ranges::find(field.nested, name, &FieldValue::name);
  if (found == field.nested.end() || found->value.kind == ValueKind::Damaged) return std::nullopt;
  return found->value.text;
}

std::optional<Value> readKnownValue(const ValueReader& reader, const TypeShape& shape, const FieldValue& field,
                                    std::size_t references) {
  const std::string_view name = definitionName(shape.name);
  const auto known = std::ranges::lower_bound(kKnownValues, name, {}, &ReadableType::name);
  if (known == kKnownValues.end() || known->name != name) {
    const InstanceSources sources = reader.instances();
    return readFSharpValue(reader, Instance(sources, shape, field.address), references);
  }
  const AddressSpace& memory = reader.sources().readers.runtime.memory();
  const KnownValue found{reader, memory, shape, field, references};
  if (known->whole) return known->whole(found);
  auto text = known->text(found);
  if (!text) return std::nullopt;
  Value value{.kind = ValueKind::Known, .text = std::move(*text)};
  value.isString = known->showsContents ||
                   std::ranges::any_of(field.nested, [](const FieldValue& part) { return part.value.isString; });
  return value;
}

}  // namespace heapscape::engine
