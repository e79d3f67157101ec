// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "redact/mapped_addresses.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Where the runtime keeps numbers of static fields and thread statics, whichever types these are of. A mini dump lists
/// only some of its types, and so does not tell which fields lie there. The ranges go as far as there is no address
/// that the process has, behind which something else begins; what is kept of them is addresses at most.
std::vector<AddressRange> unlistedStatics(const Snapshot& snapshot, const MappedAddresses& mapped);

}  // namespace heapscape::engine
