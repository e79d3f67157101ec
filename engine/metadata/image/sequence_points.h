// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "base/bounded_reader.h"

namespace heapscape::engine {

/// Where a statement begins, in IL and in its source.
struct SequencePoint {
  std::uint32_t ilOffset = 0;
  std::uint32_t document = 0;  // a row of the table Document; 0 if the method has none
  std::uint32_t line = 0;
};

/// The last point of a method at or before an IL offset that is not hidden, from its blob of sequence points
/// (PortablePdb-Metadata.md). `document`: of the method's row, 0 if it has statements of several. Nothing if there is
/// none, or if the blob is damaged in front of it.
std::optional<SequencePoint> sequencePointAt(Bytes blob, std::uint32_t document, std::uint32_t ilOffset);

}  // namespace heapscape::engine
