// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>
#include <vector>

#include "base/bounded_reader.h"
#include "base/progress.h"

namespace heapscape::engine {

/// Asks the kernel to map the pages under these pieces of a mapped file now, on all cores. Pieces may overlap.
/// Returns within milliseconds of a stop; reports on the calling thread only.
void populatePages(std::vector<Bytes> pieces, StageProgress& progress, std::stop_token stop);

/// Asks the kernel to begin to read the pages under this piece of a mapped file from disk. Does not wait for it.
void readPagesAhead(Bytes piece);

}  // namespace heapscape::engine
