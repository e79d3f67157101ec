// SPDX-License-Identifier: MIT
#include "stacks/frames/value_classes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"

namespace heapscape::engine {
namespace {

constexpr std::uint8_t kMostEightBytes = 2;

// SystemVClassificationType; the values before are no classes of a register.
constexpr std::uint8_t kInteger = 4;
constexpr std::uint8_t kIntegerReference = 5;
constexpr std::uint8_t kIntegerByRef = 6;
constexpr std::uint8_t kSse = 7;

std::optional<EightByteClass> classOf(std::uint8_t classification) {
  switch (classification) {
    case kInteger:
      return EightByteClass::Integer;
    case kIntegerReference:
      return EightByteClass::Reference;
    case kIntegerByRef:
      return EightByteClass::ByRef;
    case kSse:
      return EightByteClass::Float;
    default:
      return std::nullopt;
  }
}

tl::unexpected<Error> damaged(const MethodTable& type) {
  return failure(ErrorCode::Damaged,
                 fmt::format("How calls pass values of the type {} is damaged.", toString(type.address)));
}

}  // namespace

Result<std::vector<EightByteClass>> ValueClasses::eightBytesOf(const MethodTable& type) const {
  const ClrRuntime& runtime = m_readers.runtime;
  std::vector<EightByteClass> classes;
  if ((type.flags & runtime.contract().constant("MTFlags.IsRegStructPassed")) == 0) return classes;
  HEAPSCAPE_TRY(const Address optional, runtime.pointerAt(type.eeClass, "EEClass", "OptionalFields"));
  if (!optional) return damaged(type);
  HEAPSCAPE_TRY(const auto count, runtime.valueAt<std::uint8_t>(optional, "EEClassOptionalFields", "NumEightBytes"));
  if (count == 0 || count > kMostEightBytes) return damaged(type);
  const Address first = runtime.member(optional, "EEClassOptionalFields", "EightByteClassifications");
  for (std::uint64_t i = 0; i < count; ++i) {
    HEAPSCAPE_TRY(const auto classification, runtime.memory().read<std::uint8_t>(first + i));
    const auto known = classOf(classification);
    if (!known) return damaged(type);
    classes.push_back(*known);
  }
  return classes;
}

Result<std::vector<ReferenceInValue>> ValueClasses::referencesIn(const MethodTable& type) const {
  Collected collected;
  HEAPSCAPE_CHECK(collect(type, 0, 0, collected));
  // Fields with explicit offsets may lie over each other.
  auto& references = collected.references;
  std::ranges::sort(references, {}, &ReferenceInValue::offset);
  references.erase(std::unique(references.begin(), references.end()), references.end());
  return std::move(references);
}

Result<void> ValueClasses::collect(const MethodTable& type, std::uint32_t offset, std::size_t depth,
                                   Collected& collected) const {
  if (depth > kLimits.nestingDepth || ++collected.visited > kLimits.nestedValues) return damaged(type);
  const std::uint64_t isByRefLike = m_readers.runtime.contract().constant("MTFlags.IsByRefLike");
  if (!type.containsPointers && (type.flags & isByRefLike) == 0) return {};
  HEAPSCAPE_TRY(const auto fields, m_readers.fields.declaredBy(type));
  HEAPSCAPE_TRY(const std::uint32_t size, m_readers.methodTables.valueSize(type));
  const bool isRepeated = isInlineArray(type);
  for (const FieldDesc& field : fields) {
    if (field.isStatic) continue;
    MethodTable nested;
    std::uint32_t step = sizeof(std::uint64_t);
    if (field.elementType == ElementType::ValueType) {
      HEAPSCAPE_TRY(nested, typeOf(field, type));
      HEAPSCAPE_TRY(step, m_readers.methodTables.valueSize(nested));
    } else if (field.elementType != ElementType::Class && field.elementType != ElementType::ByRef) {
      continue;
    }
    if (step == 0 || step > size || field.offset > size - step) return damaged(type);
    // The only field of an inline array stands for all its elements.
    const std::uint32_t count = isRepeated ? (size - field.offset) / step : 1;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t place = offset + field.offset + i * step;
      if (field.elementType == ElementType::ValueType) {
        HEAPSCAPE_CHECK(collect(nested, place, depth + 1, collected));
      } else if (++collected.visited > kLimits.nestedValues) {
        return damaged(type);
      } else {
        collected.references.push_back({place, field.elementType == ElementType::ByRef});
      }
    }
  }
  return {};
}

Result<MethodTable> ValueClasses::typeOf(const FieldDesc& field, const MethodTable& declaring) const {
  HEAPSCAPE_TRY(const SignatureType signature, decodeFieldSignature(field.signature));
  HEAPSCAPE_TRY(const auto arguments, m_readers.methodTables.typeArguments(declaring));
  const SignatureContext context{m_readers.modules.definingModule(m_readers.methodTables, declaring), arguments};
  const TypeHandle handle = m_readers.resolver.find(signature, context);
  if (!handle) {
    return failure(ErrorCode::NotFound, fmt::format("The type {} is not loaded, or the dump does not hold it.",
                                                    m_readers.resolver.nameOf(signature, context)));
  }
  return m_readers.methodTables.read(handle);
}

bool ValueClasses::isInlineArray(const MethodTable& type) const {
  constexpr std::string_view kInlineArray = "System.Runtime.CompilerServices.InlineArrayAttribute";
  const Module* module = m_readers.modules.definingModule(m_readers.methodTables, type);
  const auto row = m_readers.methodTables.typeDefRow(type);
  return module && module->metadata && row && module->metadata->typeAttribute(*row, kInlineArray).has_value();
}

}  // namespace heapscape::engine
