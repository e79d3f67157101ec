// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace heapscape::engine {

class Snapshot;

/// How much of the heap was read as objects, "99.98%": rounded down, so that what is not whole never looks so.
std::string coverageText(const Snapshot& snapshot);
/// The same of a share.
std::string coverageText(double share);

}  // namespace heapscape::engine
