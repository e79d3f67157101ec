// SPDX-License-Identifier: MIT
#include "layout/rules/reference_runs.h"

#include <algorithm>

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

}  // namespace heapscape::engine
