// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>

#include "base/result.h"
#include "session/snapshot/root_list.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Weak handles and registered finalizers hold nothing and are not among them.
Outcome<RootList> listRoots(const Snapshot& snapshot, const RootOptions& options, std::stop_token stop);

}  // namespace heapscape::engine
