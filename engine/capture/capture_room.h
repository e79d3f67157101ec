// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "capture/capture_kind.h"
#include "capture/processes.h"

namespace heapscape::engine {

/// How large a dump of this kind will be, at about: from what the process has mapped, since createdump writes whole
/// mappings, whether they are in memory or not. nullopt if its mappings may not be read.
std::optional<std::uint64_t> expectedDumpBytes(CaptureKind kind, const ProcessPlaces& places, std::uint32_t pid);

}  // namespace heapscape::engine
