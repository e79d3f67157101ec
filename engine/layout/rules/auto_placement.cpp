// SPDX-License-Identifier: MIT
#include "layout/rules/auto_placement.h"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>

#include "layout/rules/reference_runs.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kSizes = 4;  // of fields that are no value types: 1, 2, 4 and 8 bytes

class AutoPlacement {
 public:
  explicit AutoPlacement(const PlacementInput& input) : m_input(input) {}

  Result<FieldPlacement> place() {
    m_placement.effective = LayoutKind::Auto;
    m_placement.offsets.resize(m_input.fields.size());
    m_position = m_input.base.usedBytes();
    if (m_input.alignsBase) m_position = alignUp(m_position, kPointerBytes);
    m_placement.start = static_cast<std::uint32_t>(m_position);
    sortBySize();
    fillHoleBehindBase();
    placeLargestFirst();
    placeValueTypes();
    if (m_position > kLargestFieldOffset) return tooLarge();
    m_placement.fieldBytes = static_cast<std::uint32_t>(m_position);
    finishValueType();
    collectReferences();
    if (m_placement.fieldBytes > kLargestFieldOffset) return tooLarge();
    return std::move(m_placement);
  }

 private:
  static tl::unexpected<Error> tooLarge() {
    return failure(ErrorCode::BadQuery, "Its fields take more bytes than the runtime can address.");
  }

  void sortBySize() {
    for (std::uint32_t i = 0; i < m_input.fields.size(); ++i) {
      const PlacedField& field = m_input.fields[i];
      if (!field.value) m_bySize[static_cast<std::size_t>(std::countr_zero(field.sizeBytes))].push_back(i);
    }
  }

  bool hasLargerThan(std::size_t log2) const {
    return std::any_of(m_bySize.begin() + static_cast<std::ptrdiff_t>(log2) + 1, m_bySize.end(),
                       [](const auto& fields) { return !fields.empty(); });
  }

  // A base that ends unaligned leaves a hole, which small fields fill as long as a larger one comes behind them.
  void fillHoleBehindBase() {
    if (m_position % kPointerBytes == 0) return;
    for (std::size_t log2 = 0; log2 + 1 < kSizes; ++log2) {
      if (m_position % (2u << log2) == 0) continue;
      if (!hasLargerThan(log2)) return;
      std::size_t fitting = log2;
      while (m_bySize[fitting].empty()) {
        if (fitting == 0) return;
        --fitting;
      }
      // A smaller field that is taken makes the runtime look at the sizes from there on again.
      log2 = fitting;
      put(m_bySize[log2].front(), 1u << log2);
      m_bySize[log2].pop_front();
    }
  }

  void placeLargestFirst() {
    for (std::size_t log2 = kSizes; log2-- > 0;) {
      auto& fields = m_bySize[log2];
      std::stable_partition(fields.begin(), fields.end(),
                            [this](std::uint32_t i) { return m_input.fields[i].isReference(); });
      for (const std::uint32_t field : fields) put(field, 1u << log2);
    }
  }

  void placeValueTypes() {
    for (std::uint32_t i = 0; i < m_input.fields.size(); ++i) {
      const PlacedField& field = m_input.fields[i];
      if (!field.value) {
        m_largestAlignment = std::max(m_largestAlignment, kPointerBytes);
        continue;
      }
      const bool onPointer = field.holdsReferences() || m_input.runtime.classicStructs;
      const std::uint32_t alignment = onPointer ? kPointerBytes : field.alignment;
      m_largestAlignment = std::max(m_largestAlignment, alignment);
      m_position = alignUp(m_position, alignment);
      m_placement.offsets[i] = static_cast<std::uint32_t>(m_position);
      m_position += field.sizeBytes;
    }
  }

  void put(std::uint32_t field, std::uint32_t alignment) {
    m_position = alignUp(m_position, alignment);
    m_placement.offsets[field] = static_cast<std::uint32_t>(m_position);
    m_position += m_input.fields[field].sizeBytes;
  }

  bool holdsReferences() const {
    return std::ranges::any_of(m_input.fields, [](const PlacedField& field) { return field.holdsReferences(); });
  }

  // Size and alignment of a value type as a field of others: whole machine words, or the next power of two.
  void finishValueType() {
    if (!isValueType(m_input.declaration)) return;
    const std::uint32_t bytes = std::max(m_placement.fieldBytes, 1u);
    std::uint32_t alignment = std::bit_ceil(bytes);
    if (bytes > kPointerBytes) alignment = holdsReferences() ? kPointerBytes : m_largestAlignment;
    std::uint64_t size = alignUp(bytes, alignment);
    if (const auto elements = m_input.declaration.inlineArrayLength; elements && *elements > 1) size *= *elements;
    m_placement.fieldBytes = static_cast<std::uint32_t>(std::min(size, kLargestFieldOffset + 1));
    // The runtime notes an alignment only where it is not what the size tells
    // (MethodTable::GetFieldAlignmentRequirement).
    const bool isNoted = alignment != std::min(bytes, kPointerBytes);
    m_placement.alignment = isNoted ? alignment : std::min(m_placement.fieldBytes, kPointerBytes);
  }

  void collectReferences() {
    m_placement.isAllReferences = isAllReferences();
    m_placement.references = m_placement.isAllReferences ? ReferenceRuns{{0, m_placement.fieldBytes}}
                                                         : autoReferenceRuns(m_input, m_placement);
  }

  bool isAllReferences() const {
    const FieldPlacement* base = m_input.base.placement;
    if (base && base->fieldBytes && !base->isZeroSized && !base->isAllReferences) return false;
    bool hasAny = m_input.base.hasReferences();
    for (const PlacedField& field : m_input.fields) {
      if (!field.isReference() && !(field.value && field.value->isAllReferences)) return false;
      hasAny = true;
    }
    return hasAny;
  }

  const PlacementInput& m_input;
  FieldPlacement m_placement;
  std::uint64_t m_position = 0;
  std::array<std::deque<std::uint32_t>, kSizes> m_bySize;  // fields by the logarithm of their size, as declared
  std::uint32_t m_largestAlignment = 1;
};

}  // namespace

Result<FieldPlacement> placeAuto(const PlacementInput& input) {
  return AutoPlacement(input).place();
}

}  // namespace heapscape::engine
