// SPDX-License-Identifier: MIT
#include "layout/rules/declared_placement.h"

#include <algorithm>
#include <bit>
#include <string>

#include "layout/rules/reference_runs.h"

namespace heapscape::engine {
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
