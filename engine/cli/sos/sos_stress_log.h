// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "runtime/diagnostics/stress_log.h"

namespace heapscape::cli {

/// What SOS tells of a stress log before its messages.
std::string stressLogHead(const engine::StressLog& log);

}  // namespace heapscape::cli
