// SPDX-License-Identifier: MIT
#include "session/types/type_owner.h"

#include "session/snapshot/contents.h"

namespace heapscape::engine {

const CodeOwners& codeOwnersOf(const Snapshot& snapshot) {
  return *snapshot.contents().owners;
}

CodeOwner ownerOf(const Snapshot& snapshot, const TypeRow& type) {
  return snapshot.contents().ownerOf(type);
}

}  // namespace heapscape::engine
