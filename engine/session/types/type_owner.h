// SPDX-License-Identifier: MIT
#pragma once

#include "layout/code_owners.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Whose code each of the dump's assemblies is.
const CodeOwners& codeOwnersOf(const Snapshot& snapshot);

/// Whose code a type is, by its assembly. Free objects are .NET's.
CodeOwner ownerOf(const Snapshot& snapshot, const TypeRow& type);

}  // namespace heapscape::engine
