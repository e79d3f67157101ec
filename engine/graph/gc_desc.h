// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {

/// Where the objects of a type hold references: the GCDesc in front of the method table (src/coreclr/gc/gcdesc.h).
/// Offsets are bytes from the object's address.
struct GcDesc {
  /// References from `offset` on, up to so many bytes as the object's aligned size and `sizeDifference` add up to.
  struct Series {
    std::uint64_t offset = 0;
    std::int64_t sizeDifference = 0;
  };
  /// Some references, then bytes that hold none; for elements of value types, again and again to the object's end.
  struct Run {
    std::uint32_t references = 0;
    std::uint32_t skipBytes = 0;
  };

  std::vector<Series> series = {};
  std::vector<Run> runs = {};
  std::uint64_t runsOffset = 0;  // of the first run

  bool isEmpty() const { return series.empty() && runs.empty(); }

  /// Calls visit(offset) for every place of a reference in an object of this size, in order of each series. Places
  /// outside of the object, as only a damaged description has them, are left out.
  template <class Visit>
  void forEachPlace(std::uint64_t alignedBytes, Visit visit) const {
    // The header of the next object lies in the last 8 bytes.
    if (alignedBytes < 2 * kReferenceBytes) return;
    const std::uint64_t end = alignedBytes - kReferenceBytes;
    for (const Series& one : series) {
      const std::int64_t bytes = one.sizeDifference + static_cast<std::int64_t>(alignedBytes);
      if (bytes <= 0 || one.offset < kReferenceBytes || one.offset >= end) continue;
      const std::uint64_t last = std::min(end, one.offset + static_cast<std::uint64_t>(bytes));
      for (std::uint64_t at = one.offset; at + kReferenceBytes <= last; at += kReferenceBytes) visit(at);
    }
    if (runs.empty() || runsOffset < kReferenceBytes) return;
    for (std::uint64_t at = runsOffset; at < end;) {
      for (const Run& run : runs) {
        for (std::uint32_t i = 0; i < run.references && at + kReferenceBytes <= end; ++i, at += kReferenceBytes)
          visit(at);
        at += run.skipBytes;
      }
    }
  }

  static constexpr std::uint64_t kReferenceBytes = 8;
};

/// Empty for a type without references. Fails with NotInDump or Damaged.
Result<GcDesc> readGcDesc(const ClrRuntime& runtime, const MethodTable& type);

}  // namespace heapscape::engine
