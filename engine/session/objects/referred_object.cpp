// SPDX-License-Identifier: MIT
#include "session/objects/referred_object.h"

#include "heap/object_head.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

std::optional<Address> methodTableOfReferred(const Snapshot& snapshot, Address object) {
  const Contents& contents = snapshot.contents();
  if (contents.heap && contents.heap->index.idOf(object).isNone()) return std::nullopt;
  Address methodTable;
  if (!object || !contents.memory->tryRead(object, methodTable)) return std::nullopt;
  methodTable.value &= kMethodTableMask;
  // The type of free objects has no EEClass and so is no method table like others.
  if (!contents.readers->methodTables.isMethodTable(methodTable)) return std::nullopt;
  return methodTable;
}

ReferredObject referredObject(const Snapshot& snapshot, Address object) {
  const std::optional<Address> methodTable = methodTableOfReferred(snapshot, object);
  if (!methodTable) return {};
  return {true, snapshot.contents().readers->names.nameOf(*methodTable), *methodTable};
}

}  // namespace heapscape::engine
