// SPDX-License-Identifier: MIT
#pragma once

#include <gelf.h>

#include <span>

#include "base/finding.h"

namespace heapscape::engine {

/// Adds a finding for each way in which the program headers of a core file contradict each other, or what all who write
/// such files do: segments in the order of their addresses, each with bytes of its own, one after the other. They are
/// believed all the same: nothing tells which of them is wrong. `headers` in the order of the file.
void checkSegments(std::span<const GElf_Phdr> headers, FindingList& findings);

}  // namespace heapscape::engine
