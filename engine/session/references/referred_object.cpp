// SPDX-License-Identifier: MIT
#include "session/references/referred_object.h"

#include "heap/object_head.h"
#include "session/door/contents.h"

namespace heapscape::engine {

ReferredObject referredObject(const Snapshot& snapshot, Address object) {
  const Contents& contents = snapshot.contents();
  ReferredObject referred;
  if (contents.heap && contents.heap->index.idOf(object).isNone()) return referred;
  Address methodTable;
  if (!object || !contents.memory->tryRead(object, methodTable)) return referred;
  methodTable.value &= kMethodTableMask;
  // The type of free objects has no EEClass and so is no method table like others.
  if (!contents.readers->methodTables.isMethodTable(methodTable)) return referred;
  return {true, contents.readers->names.nameOf(methodTable), methodTable};
}

}  // namespace heapscape::engine
