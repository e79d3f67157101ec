// SPDX-License-Identifier: MIT
#include "insight/comparison/comparison_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "layout/advice/layout_difference.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

std::uint64_t instanceBytesOf(const TypeLayout& layout) {
  return layout.componentSize ? layout.componentSize : layout.baseSize;
}

/// "+ Discount: System.Decimal at 40", "- Code", "~ Id: 16 → 24", "~ Id: System.Int32 → System.Int64".
std::string textOf(const FieldDifference& field) {
  switch (field.change) {
    case FieldChange::Added:
      return fmt::format("+ {}: {} at {}", field.name, field.typeAfter, field.offsetAfter.value_or(0));
    case FieldChange::Removed:
      return fmt::format("- {}: {} at {}", field.name, field.typeBefore, field.offsetBefore.value_or(0));
    case FieldChange::Retyped:
      return fmt::format("~ {}: {} → {}", field.name, field.typeBefore, field.typeAfter);
    case FieldChange::Resized:
      return fmt::format("~ {}: {} → {} bytes", field.name, field.sizeBefore.value_or(0), field.sizeAfter.value_or(0));
    case FieldChange::Moved:
      return fmt::format("~ {}: at {} → {}", field.name, field.offsetBefore.value_or(0), field.offsetAfter.value_or(0));
    case FieldChange::Same:
      break;
  }
  return {};
}

LayoutChange changeOf(const TypeChange& type, const TypeLayout& before, const TypeLayout& after,
                      const LayoutDifference& difference) {
  LayoutChange change;
  change.type = type.name;
  change.assembly = type.assembly;
  change.methodTableBefore = before.methodTable;
  change.methodTableAfter = after.methodTable;
  change.instanceBytes = {instanceBytesOf(before), instanceBytesOf(after)};
  change.paddingBytes = {before.paddingBytes(), after.paddingBytes()};
  change.objects = type.count.after;
  for (const FieldDifference& field : difference.fields)
    if (std::string text = textOf(field); !text.empty()) change.fields.push_back(std::move(text));
  if (difference.kindChanged)
    change.fields.push_back(
        fmt::format("layout: {} → {}", toString(before.effectiveKind), toString(after.effectiveKind)));
  return change;
}

std::uint64_t weightOf(const LayoutChange& change) {
  return static_cast<std::uint64_t>(std::abs(change.instanceBytes.difference())) * change.objects;
}

}  // namespace

Outcome<std::vector<LayoutChange>> compareTypeLayouts(const Snapshot& before, const Snapshot& after,
                                                      const std::vector<TypeChange>& types, StageProgress& progress,
                                                      std::stop_token stop) {
  std::vector<LayoutChange> changes;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (i % 256 == 0) {
      if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      progress.report(static_cast<double>(i) / static_cast<double>(types.size()));
    }
    const TypeChange& type = types[i];
    if (type.isFree || type.typesBefore.empty() || type.typesAfter.empty()) continue;
    const auto layoutBefore =
        readActualLayout(before.contents().layoutSources(), before.types()[type.typesBefore.front().value].methodTable);
    const auto layoutAfter =
        readActualLayout(after.contents().layoutSources(), after.types()[type.typesAfter.front().value].methodTable);
    if (!layoutBefore || !layoutAfter) continue;
    const LayoutDifference difference = compareLayouts(*layoutBefore, *layoutAfter);
    if (!difference.isSame) changes.push_back(changeOf(type, *layoutBefore, *layoutAfter, difference));
  }
  std::stable_sort(changes.begin(), changes.end(), [](const LayoutChange& left, const LayoutChange& right) {
    return weightOf(left) != weightOf(right) ? weightOf(left) > weightOf(right) : left.type < right.type;
  });
  return changes;
}

}  // namespace heapscape::engine
