// SPDX-License-Identifier: MIT
#include "graph/gc_desc.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kWord = 8;
constexpr std::uint64_t kSeriesBytes = 16;

Error damaged(const MethodTable& type) {
  return {ErrorCode::Damaged,
          fmt::format("The description of references of method table {} contradicts itself.", toString(type.address))};
}

// Only in objects whose size is fixed does a series end before the next one begins.
bool isOverlap(const MethodTable& type, const GcDesc::Series& one, const GcDesc::Series& next) {
  const auto bytes = static_cast<std::uint64_t>(type.baseSize + one.sizeDifference);
  return type.componentSize || one.offset + bytes > next.offset;
}

Result<std::vector<GcDesc::Series>> readSeries(const ClrRuntime& runtime, const MethodTable& type,
                                               std::uint64_t count) {
  std::vector<GcDesc::Series> all;
  for (std::uint64_t i = 1; i <= count; ++i) {
    const Address entry = type.address - kWord - kSeriesBytes * i;
    GcDesc::Series series;
    HEAPSCAPE_TRY(series.sizeDifference, runtime.memory().read<std::int64_t>(entry));
    HEAPSCAPE_TRY(series.offset, runtime.memory().read<std::uint64_t>(entry + kWord));
    const bool fits = series.sizeDifference <= 0 && series.sizeDifference >= -std::int64_t{type.baseSize};
    if (!fits || series.offset % kWord || series.offset > type.baseSize) return tl::unexpected<Error>(damaged(type));
    all.push_back(series);
  }
  // Lowest offset first, whatever their order in memory.
  std::sort(all.begin(), all.end(),
            [](const GcDesc::Series& a, const GcDesc::Series& b) { return a.offset < b.offset; });
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    if (isOverlap(type, all[i], all[i + 1])) return tl::unexpected<Error>(damaged(type));
  }
  return all;
}

}  // namespace

Result<GcDesc> readGcDesc(const ClrRuntime& runtime, const MethodTable& type) {
  GcDesc desc;
  if (!type.containsPointers) return desc;
  HEAPSCAPE_TRY(const std::int64_t count, runtime.memory().read<std::int64_t>(type.address - kWord));
  const std::uint64_t items = count < 0 ? -static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
  if (items == 0 || items > kLimits.fieldsPerType) return tl::unexpected<Error>(damaged(type));
  if (count > 0) {
    HEAPSCAPE_TRY(desc.series, readSeries(runtime, type, items));
    return desc;
  }
  HEAPSCAPE_TRY(desc.runsOffset, runtime.memory().read<std::uint64_t>(type.address - 2 * kWord));
  if (desc.runsOffset % kWord) return tl::unexpected<Error>(damaged(type));
  for (std::uint64_t i = 0; i < items; ++i) {
    const Address entry = type.address - 3 * kWord - kWord * i;
    GcDesc::Run run;
    HEAPSCAPE_TRY(run.references, runtime.memory().read<std::uint32_t>(entry));
    HEAPSCAPE_TRY(run.skipBytes, runtime.memory().read<std::uint32_t>(entry + 4));
    // Runs of nothing would never end.
    if (run.references == 0 || run.skipBytes % kWord) return tl::unexpected<Error>(damaged(type));
    desc.runs.push_back(run);
  }
  return desc;
}

}  // namespace heapscape::engine
