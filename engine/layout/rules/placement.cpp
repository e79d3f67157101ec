// SPDX-License-Identifier: MIT
#include "layout/rules/placement.h"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <string>

#include "base/limits.h"

namespace heapscape::engine {
namespace {

void addValue(ReferenceRuns& runs, const FieldPlacement& value, std::uint64_t offset) {
  for (const auto& [start, bytes] : value.references)
    runs.emplace_back(static_cast<std::uint32_t>(offset + start), bytes);
}

ReferenceRuns baseRuns(const PlacementInput& input) {
  return input.base.placement ? input.base.placement->references : ReferenceRuns{};
}

}  // namespace

ReferenceRuns autoReferenceRuns(const PlacementInput& input, const FieldPlacement& placement) {
  ReferenceRuns runs = baseRuns(input);
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < input.fields.size(); ++i) {
    if (!input.fields[i].isReference()) continue;
    first = count ? std::min(first, placement.offsets[i]) : placement.offsets[i];
    ++count;
  }
  if (count) runs.emplace_back(first, count * kPointerBytes);
  const std::uint32_t elements = input.declaration.inlineArrayLength.value_or(1);
  for (std::size_t i = 0; i < input.fields.size(); ++i) {
    const PlacedField& field = input.fields[i];
    if (!field.value || field.value->references.empty()) continue;
    for (std::uint64_t element = 0; element < elements && runs.size() < kLimits.fieldsPerType; ++element)
      addValue(runs, *field.value, placement.offsets[i] + element * field.sizeBytes);
  }
  std::sort(runs.begin(), runs.end());
  return runs;
}

ReferenceRuns explicitReferenceRuns(const PlacementInput& input, const FieldPlacement& placement) {
  ReferenceRuns own;
  for (std::size_t i = 0; i < input.fields.size(); ++i) {
    const PlacedField& field = input.fields[i];
    if (field.isReference()) own.emplace_back(placement.offsets[i], kPointerBytes);
    if (field.value) addValue(own, *field.value, placement.offsets[i]);
  }
  std::sort(own.begin(), own.end());
  ReferenceRuns merged;
  for (const auto& [start, bytes] : own) {
    const std::uint32_t end = start + bytes;
    if (!merged.empty() && start <= merged.back().first + merged.back().second) {
      merged.back().second = std::max(merged.back().second, end - merged.back().first);
    } else {
      merged.emplace_back(start, bytes);
    }
  }
  ReferenceRuns runs = baseRuns(input);
  runs.insert(runs.end(), merged.begin(), merged.end());
  std::sort(runs.begin(), runs.end());
  return runs;
}

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

namespace {

constexpr std::uint32_t kNaturalPack = 64;  // DEFAULT_PACKING_SIZE: more than any alignment

tl::unexpected<Error> refusedPlacement(std::string why) {
  return failure(ErrorCode::BadQuery, std::move(why));
}

std::uint32_t packOf(const TypeDeclaration& declaration) {
  return declaration.pack ? declaration.pack : kNaturalPack;
}

// A base counts with its alignment if it kept its own declared layout.
std::uint32_t alignmentOfBase(const InheritedPart& base) {
  if (!base.hasLayout() || !base.placement) return 0;
  const bool counts = base.placement->isManagedSequential ||
                      (base.declaration->layoutKind == LayoutKind::Explicit && base.placement->isBlittable);
  return counts ? base.placement->alignment : 0;
}

// The largest alignment that a field or the base asks for, Pack being the ceiling of each.
Result<std::uint32_t> alignmentOf(const PlacementInput& input) {
  const std::uint32_t pack = packOf(input.declaration);
  std::uint32_t largest = std::max(1u, std::min(pack, alignmentOfBase(input.base)));
  for (const PlacedField& field : input.fields) {
    const std::uint32_t alignment = std::min(field.alignment, pack);
    if (!std::has_single_bit(alignment) || alignment > kNaturalPack) {
      return refusedPlacement("Its field " + std::string(field.declaration->name) + " has an alignment of " +
                              std::to_string(alignment) + ", which is no power of two.");
    }
    largest = std::max(largest, alignment);
  }
  return largest;
}

// Size is a minimum, behind what is inherited; without it the end is rounded up.
std::uint64_t sizeOf(const PlacementInput& input, std::uint64_t inherited, std::uint64_t end, std::uint32_t alignment) {
  if (input.declaration.size) return std::max<std::uint64_t>(inherited + input.declaration.size, end);
  return alignUp(end, alignment);
}

// An inline array repeats its only field; an empty type takes a byte.
Result<void> setSize(FieldPlacement& placement, const PlacementInput& input, std::uint64_t size) {
  placement.isZeroSized = size == 0;
  size = std::max<std::uint64_t>(size, 1);
  if (input.declaration.inlineArrayLength) size *= *input.declaration.inlineArrayLength;
  if (size > kLargestFieldOffset) return refusedPlacement("Its fields take more bytes than the runtime can address.");
  placement.fieldBytes = static_cast<std::uint32_t>(size);
  return {};
}

// References have to lie on pointer boundaries and share their bytes with nothing but references.
class ExplicitCheck {
 public:
  ExplicitCheck(const PlacementInput& input, const std::vector<std::uint64_t>& offsets)
      : m_input(input), m_offsets(offsets) {}

  Result<void> run() {
    for (std::size_t i = 0; i < m_input.fields.size(); ++i) {
      const PlacedField& field = m_input.fields[i];
      const bool isByRef = field.declaration->element == ElementType::ByRef;
      const bool needsAlignment = field.holdsReferences() || isByRef;
      if (needsAlignment && m_offsets[i] % kPointerBytes) {
        return refusedPlacement("Its field " + std::string(field.declaration->name) +
                                " holds a reference and does not lie at a multiple of 8 bytes.");
      }
      addRuns(field, m_offsets[i], isByRef);
    }
    std::sort(m_references.begin(), m_references.end());
    for (const Run& run : m_others) {
      const auto behind = std::upper_bound(m_references.begin(), m_references.end(), Run{run.end, 0});
      if (behind != m_references.begin() && std::prev(behind)->end > run.start && std::prev(behind)->start < run.end)
        return refusedPlacement("A reference in it shares its bytes with a field that is none.");
    }
    return {};
  }

 private:
  struct Run {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    auto operator<=>(const Run&) const = default;
  };

  void addRuns(const PlacedField& field, std::uint64_t offset, bool isByRef) {
    if (field.isReference()) {
      m_references.push_back({offset, offset + kPointerBytes});
    } else if (!field.value || isByRef) {
      m_others.push_back({offset, offset + field.sizeBytes});
    } else {
      addValue(*field.value, offset, field.sizeBytes);
    }
  }

  void addValue(const FieldPlacement& value, std::uint64_t offset, std::uint32_t sizeBytes) {
    std::uint64_t reached = offset;
    for (const auto& [start, bytes] : value.references) {
      if (offset + start > reached) m_others.push_back({reached, offset + start});
      reached = offset + start + bytes;
      m_references.push_back({offset + start, reached});
    }
    if (reached < offset + sizeBytes) m_others.push_back({reached, offset + sizeBytes});
  }

  const PlacementInput& m_input;
  const std::vector<std::uint64_t>& m_offsets;
  std::vector<Run> m_references;
  std::vector<Run> m_others;
};

}  // namespace

Result<FieldPlacement> placeSequential(const PlacementInput& input) {
  FieldPlacement placement;
  placement.effective = LayoutKind::Sequential;
  HEAPSCAPE_TRY(placement.alignment, alignmentOf(input));
  const std::uint32_t pack = packOf(input.declaration);
  std::uint64_t end = input.base.usedBytes();
  placement.start = static_cast<std::uint32_t>(end);
  for (const PlacedField& field : input.fields) {
    end = alignUp(end, std::min(field.alignment, pack));
    placement.offsets.push_back(static_cast<std::uint32_t>(end));
    end += field.sizeBytes;
    if (end > kLargestFieldOffset) return refusedPlacement("Its fields take more bytes than the runtime can address.");
  }
  HEAPSCAPE_CHECK(setSize(placement, input, sizeOf(input, input.base.usedBytes(), end, placement.alignment)));
  return placement;
}

Result<FieldPlacement> placeExplicit(const PlacementInput& input) {
  FieldPlacement placement;
  placement.effective = LayoutKind::Explicit;
  HEAPSCAPE_TRY(placement.alignment, alignmentOf(input));
  std::vector<std::uint64_t> offsets;
  std::uint64_t end = 0;  // of the fields alone, the base before them included
  for (const PlacedField& field : input.fields) {
    if (!field.declaration->explicitOffset)
      return refusedPlacement("Its field " + std::string(field.declaration->name) + " has no FieldOffset.");
    offsets.push_back(std::uint64_t{*field.declaration->explicitOffset} + input.base.usedBytes());
    end = std::max(end, offsets.back() + field.sizeBytes);
  }
  if (end > kLargestFieldOffset) return refusedPlacement("Its fields lie further away than the runtime can address.");
  HEAPSCAPE_CHECK(ExplicitCheck(input, offsets).run());

  const bool hasOwnReferences =
      std::ranges::any_of(input.fields, [](const PlacedField& field) { return field.holdsReferences(); });
  std::uint64_t shift = input.base.fieldBytes();
  if (hasOwnReferences) shift = alignUp(shift, kPointerBytes);
  placement.start = static_cast<std::uint32_t>(shift);
  for (const std::uint64_t offset : offsets) placement.offsets.push_back(static_cast<std::uint32_t>(offset + shift));
  std::uint64_t size = shift + end;
  const std::uint64_t inherited = input.base.usedBytes();
  placement.isZeroSized = sizeOf(input, inherited, std::max(inherited, end), placement.alignment) == 0;
  if (isValueType(input.declaration)) {
    size = input.declaration.size ? std::max<std::uint64_t>(size, input.declaration.size)
                                  : alignUp(size, placement.alignment);
    size = std::max<std::uint64_t>(size, 1);
  }
  if (hasOwnReferences) size = alignUp(size, kPointerBytes);
  if (size > kLargestFieldOffset) return refusedPlacement("Its fields take more bytes than the runtime can address.");
  placement.fieldBytes = static_cast<std::uint32_t>(size);
  placement.references = explicitReferenceRuns(input, placement);
  return placement;
}

}  // namespace heapscape::engine
