// SPDX-License-Identifier: MIT
#include "session/layouts/layout_query.h"

#include <algorithm>
#include <set>

#include "session/layouts/saved_locals.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

Result<TypeLayout> layoutOf(const Snapshot& snapshot, Address methodTable) {
  HEAPSCAPE_TRY(TypeLayout layout, readActualLayout(snapshot.contents().layoutSources(), methodTable));
  const auto type = snapshot.contents().readers->methodTables.read(methodTable);
  if (!type || !type->isContinuation || !snapshot.has(Stage::Objects)) return layout;
  std::vector<Address> continuations;
  const auto add = [&](const ObjectRow& row) {
    continuations.push_back(row.address);
    return true;
  };
  ObjectFilter ofType;
  ofType.type = snapshot.typeOf(methodTable);
  forEachObject(snapshot, ofType, add);
  nameSavedLocals(snapshot.contents(), continuations, layout);
  return layout;
}

Result<TypeLayout> layoutOfObject(const Snapshot& snapshot, Address methodTable, Address object) {
  HEAPSCAPE_TRY(TypeLayout layout, readActualLayout(snapshot.contents().layoutSources(), methodTable));
  const auto type = snapshot.contents().readers->methodTables.read(methodTable);
  if (type && type->isContinuation) nameSavedLocals(snapshot.contents(), {{object}}, layout);
  return layout;
}

Outcome<std::vector<LoadedType>> loadedTypes(const Snapshot& snapshot, std::stop_token stop) {
  const RuntimeReaders& readers = *snapshot.contents().readers;
  std::vector<LoadedType> types;
  std::set<Address> addresses;
  for (const Address address : readers.loadedTypes.all()) addresses.insert(address);
  // Types of modules that the application domain does not list are known by their objects alone.
  for (const TypeRow& row : snapshot.types()) addresses.insert(row.methodTable);
  for (const Address address : addresses) {
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    const auto type = readers.methodTables.read(address);
    if (!type || type->isInterface) continue;
    const Module* module = readers.modules.definingModule(readers.methodTables, *type);
    types.push_back({readers.names.nameOf(address), module ? module->name : std::string(), address});
  }
  std::sort(types.begin(), types.end(), [](const LoadedType& a, const LoadedType& b) {
    return a.name != b.name ? a.name < b.name : a.methodTable < b.methodTable;
  });
  return types;
}

}  // namespace heapscape::engine
