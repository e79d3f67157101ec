// SPDX-License-Identifier: MIT
#include "layout/instance_padding.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "layout/object_size.h"
#include "layout/repeated_field.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostIntervals = 1 << 12;  // of the fields of one type; what has more is read as a whole

}  // namespace

InstancePaddings::InstancePaddings(const LayoutSources& sources)
    : m_sources(sources),
      m_string(sources.methodTables.runtime().globalPointer("StringMethodTable").value_or(Address{})) {}

Result<PaddingPerInstance> InstancePaddings::of(Address methodTable) {
  if (const auto padding = quickly(methodTable)) return *padding;
  const auto layout = readActualLayout(m_sources, methodTable);
  if (!layout) return tl::unexpected<Error>(layout.error());
  PaddingPerInstance padding;
  if (!layout->elementLayout.empty()) padding.ofElement = layout->elementLayout.front().paddingBytes();
  if (layout->kind == TypeKind::Array || layout->kind == TypeKind::String) return padding;
  padding.ofObject = layout->paddingBytes();
  // A box rounds the value up.
  if (layout->valueSize) padding.ofObject += layout->baseSize - kObjectOverheadBytes - *layout->valueSize;
  return padding;
}

/// Nothing where anything is unusual or damaged, which the reader of the whole layout knows how to take.
std::optional<PaddingPerInstance> InstancePaddings::quickly(Address methodTable) {
  const MethodTables& types = m_sources.methodTables;
  const auto type = types.read(methodTable);
  if (!type || type->isInterface || type->isContinuation) return std::nullopt;
  if (type->isArray) {
    const auto handle = types.arrayElementType(*type);
    if (!handle) return std::nullopt;
    if (types.isTypeDesc(*handle)) return PaddingPerInstance{};
    const auto element = types.read(*handle);
    if (!element) return std::nullopt;
    const auto normalised = types.normalisedElementType(*element);
    if (!normalised) return std::nullopt;
    if (!element->isValueType || *normalised != ElementType::ValueType) return PaddingPerInstance{};
    const auto size = types.valueSize(*element);
    const auto padding = size ? paddingOf(*element, *size) : std::nullopt;
    return padding ? std::optional(PaddingPerInstance{.ofElement = *padding}) : std::nullopt;
  }
  if (type->address == m_string) return PaddingPerInstance{};
  const std::uint32_t inside = type->baseSize - std::min(type->baseSize, kObjectOverheadBytes);
  const auto size = type->isValueType ? types.valueSize(*type) : Result<std::uint32_t>(inside);
  const auto padding = size ? paddingOf(*type, *size) : std::nullopt;
  if (!padding || *size > inside) return std::nullopt;
  return PaddingPerInstance{.ofObject = *padding + (inside - *size)};  // a box rounds the value up
}

std::optional<std::uint32_t> InstancePaddings::paddingOf(const MethodTable& type, std::uint32_t fieldsBytes) {
  const auto own = readFields(type, 0);
  if (!own) return std::nullopt;
  std::vector<Interval> used = own->used;
  std::uint32_t end = own->end;
  std::size_t declared = own->declared;
  MethodTable level = type;
  for (std::size_t depth = 0; !type.isValueType && level.parent; ++depth) {
    const auto parent = m_sources.methodTables.read(level.parent);
    if (!parent || depth >= kLimits.nestingDepth) return std::nullopt;
    level = *parent;
    const std::optional<Fields>& inherited = fieldsOf(level, 0);
    if (!inherited) return std::nullopt;
    used.insert(used.end(), inherited->used.begin(), inherited->used.end());
    end = std::max(end, inherited->end);
    declared += inherited->declared;
  }
  if (end > fieldsBytes || used.size() > kMostIntervals || declared > kMaximumFieldsOfLayout) return std::nullopt;
  std::ranges::sort(used, {}, &Interval::start);
  std::uint32_t unused = 0;
  std::uint32_t reached = 0;
  for (const Interval& interval : used) {
    if (interval.start > reached) unused += interval.start - reached;
    reached = std::max(reached, interval.end);
  }
  return unused + (fieldsBytes - reached);
}

const std::optional<InstancePaddings::Fields>& InstancePaddings::fieldsOf(const MethodTable& type, std::size_t depth) {
  const auto known = m_fields.find(type.address);
  if (known != m_fields.end()) return known->second;
  return m_fields.emplace(type.address, readFields(type, depth)).first->second;
}

std::optional<InstancePaddings::Fields> InstancePaddings::readFields(const MethodTable& type, std::size_t depth) {
  std::vector<DeclaredField> places;
  if (depth > kLimits.nestingDepth || !m_sources.fields.placesOf(type, places)) return std::nullopt;
  Fields fields{.used = {}, .end = 0, .declared = places.size()};
  std::erase_if(places, [](const DeclaredField& place) { return place.isStatic; });
  if (places.empty()) return fields;
  SignatureContext context{m_sources.modules.definingModule(m_sources.methodTables, type), {}};
  if (auto arguments = m_sources.methodTables.typeArguments(type)) context.arguments = std::move(*arguments);
  for (const DeclaredField& place : places)
    if (!addField(place, context, depth, fields)) return std::nullopt;
  // An inline array or a fixed buffer, whose only field is the first of many.
  const auto size = type.isValueType && places.size() == 1 ? m_sources.methodTables.valueSize(type)
                                                           : Result<std::uint32_t>(fields.end);
  if (!size || *size > fields.end) return std::nullopt;
  return fields;
}

bool InstancePaddings::addField(const DeclaredField& place, const SignatureContext& context, std::size_t depth,
                                Fields& fields) {
  MethodTable valueType;
  const auto size = sizeOf(place, context, valueType);
  if (!size || *size == 0 || place.offset > UINT32_MAX - *size) return false;
  const std::uint32_t end = place.offset + *size;
  fields.end = std::max(fields.end, end);
  const std::optional<Fields>* nested = valueType.address ? &fieldsOf(valueType, depth + 1) : nullptr;
  if (nested && !*nested) return false;
  if (nested) fields.declared += (*nested)->declared;
  if (!nested || (*nested)->used.empty()) {
    fields.used.push_back({place.offset, end});
  } else {
    for (const Interval& inside : (*nested)->used) {
      if (inside.end > *size) return false;
      fields.used.push_back({place.offset + inside.start, place.offset + inside.end});
    }
  }
  return fields.used.size() <= kMostIntervals && fields.declared <= kMaximumFieldsOfLayout;
}

/// `valueType`: of a field that holds a value with fields of its own.
std::optional<std::uint32_t> InstancePaddings::sizeOf(const DeclaredField& place, const SignatureContext& context,
                                                      MethodTable& valueType) {
  if (place.elementType == ElementType::Class) return kPointerBytes;
  if (place.elementType == ElementType::TypedByRef) return std::nullopt;
  if (place.elementType != ElementType::ValueType) return primitiveSize(place.elementType);
  const auto row =
      context.module && context.module->metadata ? context.module->metadata->field(place.row) : std::nullopt;
  const auto signature = row ? decodeFieldSignature(row->signature) : failure(ErrorCode::NotFound, {});
  const TypeHandle handle = signature ? m_sources.resolver.find(*signature, context) : place.type;
  if (!handle || m_sources.methodTables.isTypeDesc(handle)) return std::nullopt;
  const auto type = m_sources.methodTables.read(handle);
  const auto size =
      type && type->isValueType ? m_sources.methodTables.valueSize(*type) : failure(ErrorCode::NotFound, {});
  if (!size) return std::nullopt;
  valueType = *type;
  return *size;
}

}  // namespace heapscape::engine
