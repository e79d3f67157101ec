// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>

namespace heapscape::cli {

/// From now on SIGINT requests a stop, and a second one ends the process. To be called before any thread is started,
/// since threads inherit what is blocked.
std::stop_token stopOnInterrupt();

}  // namespace heapscape::cli
