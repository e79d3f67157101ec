// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>

#include "base/bounded_reader.h"
#include "base/progress.h"
#include "base/result.h"
#include "gcdump/node_graph.h"

namespace heapscape::engine {

/// Whether a file is in the serialization that .gcdump files have.
bool isGcDump(Bytes file);

/// Reads a .gcdump file of dotnet-gcdump or PerfView: a FastSerialization stream with one GCHeapDump object (versions 4
/// to 7, and from 9 on; src/HeapDump, src/MemoryGraph and src/FastSerialization of microsoft/perfview). All counts and
/// offsets are checked. Fails with Damaged, also for a file that ends too early, and with NotACoreDump for a stream
/// that holds something else. Polls the token.
Outcome<GcDump> readGcDump(Bytes file, StageProgress& progress, const std::stop_token& stop);

}  // namespace heapscape::engine
