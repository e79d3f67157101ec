// SPDX-License-Identifier: MIT
#include "values/reading/known_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "runtime/types/method_tables.h"
#include "values/reading/fsharp_values.h"
#include "values/reading/known_value.h"
#include "values/quoted_text.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {
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
