// SPDX-License-Identifier: MIT
#include "session/objects/set_query.h"

#include "base/progress.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

Outcome<std::vector<bool>> membersOf(const Snapshot& snapshot, const ObjectSet& set, std::stop_token stop) {
  const ObjectIndex& index = snapshot.contents().heap->index;
  std::vector<bool> isMember(index.objectCount());
  for (const Address object : set.objects) {
    if (const ObjectId id = index.idOf(object); !id.isNone()) isMember[id.value] = true;
  }
  if (set.types.empty()) return isMember;
  std::vector<bool> isOfSet(snapshot.types().size());
  for (const TypeId type : set.types) isOfSet[type.value] = true;
  const auto add = [&](const ObjectRow& row) {
    if (isOfSet[row.type.value]) isMember[row.id.value] = true;
    return true;
  };
  if (!forEachObject(snapshot, {}, add, stop)) return tl::unexpected(Unfinished::cancelled());
  return isMember;
}

Outcome<std::vector<std::uint32_t>> idsOfSet(const Snapshot& snapshot, const ObjectSet& set, std::stop_token stop) {
  HEAPSCAPE_TRY(const std::vector<bool> isMember, membersOf(snapshot, set, stop));
  std::vector<std::uint32_t> ids;
  for (std::uint32_t id = 0; id < isMember.size(); ++id) {
    if (isMember[id]) ids.push_back(id);
  }
  return ids;
}

Outcome<Retained> sizeOfSet(const Snapshot& snapshot, const ObjectSet& set, std::stop_token stop) {
  HEAPSCAPE_TRY(const std::vector<bool> isMember, membersOf(snapshot, set, stop));
  const ObjectIndex& index = snapshot.contents().heap->index;
  Retained size;
  for (std::uint32_t id = 0; id < isMember.size(); ++id) {
    if (id % kStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    const auto row = isMember[id] ? objectAt(snapshot, index.addressOf({id})) : std::nullopt;
    if (!row) continue;
    ++size.objects;
    size.bytes += row->alignedBytes;
  }
  return size;
}

}  // namespace heapscape::engine
