// SPDX-License-Identifier: MIT
#include "session/heap/gc_heaps.h"

#include <fmt/format.h>

#include "session/snapshot/contents.h"

namespace heapscape::engine {

GcHeaps gcHeaps(const Snapshot& snapshot) {
  const auto& gc = snapshot.contents().gc;
  if (!gc) return {};
  return {static_cast<std::uint32_t>(gc->heaps.size()), gc->heapsCreated, gc->adaptation};
}

std::string describe(const GcHeaps& heaps) {
  const std::string noun = heaps.created == 1 ? "heap" : "heaps";
  const std::string count = heaps.active == heaps.created
                                ? fmt::format("{} {}", heaps.created, noun)
                                : fmt::format("{} of {} {} active", heaps.active, heaps.created, noun);
  switch (heaps.adaptation) {
    case DynamicAdaptation::None:
      break;
    case DynamicAdaptation::Off:
      return count + ", DATAS off";
    case DynamicAdaptation::On:
      return count + ", DATAS on";
    case DynamicAdaptation::Unknown:
      return count + ", DATAS unknown";
  }
  return count;
}

}  // namespace heapscape::engine
