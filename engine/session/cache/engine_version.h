// SPDX-License-Identifier: MIT
#pragma once

namespace heapscape::engine {

/// Tells apart builds that may answer differently: a hash of the engine's sources and contracts.
const char* engineSources();

}  // namespace heapscape::engine
