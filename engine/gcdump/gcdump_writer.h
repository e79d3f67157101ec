// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>

#include "base/bounded_reader.h"
#include "base/result.h"
#include "gcdump/node_graph.h"

namespace heapscape::engine {

/// Writes a .gcdump file that dotnet-gcdump and PerfView read (version 10 of GCHeapDump). `write` takes the file's next
/// bytes. Fails with what `write` fails with, and with Damaged for a graph whose nodes take more than the 2 GB that
/// such a file can hold.
Result<void> writeGcDump(const GcDump& dump, const std::function<Result<void>(Bytes)>& write);

}  // namespace heapscape::engine
