// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "base/enum_names.h"

namespace heapscape::engine {

/// What a runtime puts into a dump of itself, with the numbers of its diagnostic protocol.
enum class CaptureKind : std::uint32_t {
  Mini = 1,    // threads, stacks, exceptions
  Heap = 2,    // those and all objects
  Triage = 3,  // as mini, without what may be personal
  Full = 4,    // all that is mapped
};

template <>
inline constexpr auto kEnumNames<CaptureKind> = std::to_array<EnumName<CaptureKind>>({{CaptureKind::Heap, "heap"},
                                                                                      {CaptureKind::Full, "full"},
                                                                                      {CaptureKind::Mini, "mini"},
                                                                                      {CaptureKind::Triage, "triage"}});

}  // namespace heapscape::engine
