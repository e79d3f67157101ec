// SPDX-License-Identifier: MIT
#include "session/objects/object_query.h"

#include <tbb/parallel_for.h>

#include <algorithm>

#include "base/progress.h"
#include "heap/object_head.h"
#include "heap/segment_objects.h"
#include "metadata/names/parsed_type_name.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kHeaderBytes = 8;  // in front of the object's address: the header and what aligns it

// Decides once per type what a filter says of its name.
std::vector<bool> typesMatching(const Snapshot& snapshot, const ObjectFilter& filter) {
  const TypeNameSearch search(filter.typeText);
  std::vector<bool> matching(snapshot.types().size());
  for (std::uint32_t i = 0; i < matching.size(); ++i) {
    matching[i] = (!filter.type || filter.type->value == i) &&
                  (filter.typeText.empty() || search.isHeldBy(snapshot.types()[i].name));
  }
  return matching;
}

ObjectRow makeRow(const ObjectFacts& facts, ObjectId id, SegmentId segment, std::optional<Generation> generation) {
  return {id, facts.address, facts.sizeBytes, facts.alignedBytes(), facts.type, segment, generation};
}

}  // namespace

bool forEachObject(const Snapshot& snapshot, const ObjectFilter& filter,
                   const std::function<bool(const ObjectRow&)>& visit, std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  if (!contents.heap) return true;
  const std::vector<bool> isWanted = typesMatching(snapshot, filter);
  const bool isRecorded = snapshot.isRecorded();
  std::uint64_t steps = 0;
  for (std::uint32_t i = 0; i < contents.segments->size(); ++i) {
    const Segment& segment = (*contents.segments)[i];
    if (filter.heap && *filter.heap != segment.heap) continue;
    const SegmentObjects objects(*contents.memory, contents.heap->index, contents.heap->types, {i}, segment);
    for (const GenerationRange& part : segment.generations) {
      if (filter.generation && *filter.generation != part.generation) continue;
      AddressRange range = part.range;
      if (filter.addresses) {
        range = {std::max(range.start, filter.addresses->start), std::min(range.end, filter.addresses->end)};
      }
      ObjectId id;  // looked up at the first object, counted on from there
      const bool wentOn = objects.forEach(range, [&](const ObjectFacts& facts) {
        id = id.isNone() ? contents.heap->index.idOf(facts.address) : ObjectId{id.value + 1};
        if (++steps % kStopInterval == 0 && stop.stop_requested()) return false;
        if (!isWanted[facts.type.value] || facts.sizeBytes < filter.minimumBytes) return true;
        return visit(makeRow(facts, id, {i}, isRecorded ? std::nullopt : std::optional(part.generation)));
      });
      if (!wentOn) return false;
    }
  }
  return true;
}

std::optional<ObjectRow> objectAt(const Snapshot& snapshot, Address address) {
  const Contents& contents = snapshot.contents();
  if (!contents.heap) return std::nullopt;
  const ObjectIndex& index = contents.heap->index;
  const auto tryAt = [&](Address start) -> std::optional<ObjectRow> {
    const SegmentId segment = index.segmentOf(start);
    const SegmentObjects objects(*contents.memory, index, contents.heap->types, segment,
                                 (*contents.segments)[segment.value]);
    ObjectFacts facts;
    if (!objects.tryRead(start, facts)) return std::nullopt;
    std::optional<Generation> generation;
    if (!snapshot.isRecorded()) generation = (*contents.segments)[segment.value].generationOf(start);
    return makeRow(facts, index.idOf(start), segment, generation);
  };
  // The word in front of an object is its header; it lies at the end of the bytes of the object before.
  const Address behindHeader{alignUp(address.value + 1, kHeaderBytes)};
  if (address.value % kHeaderBytes >= 4 && !index.idOf(behindHeader).isNone()) return tryAt(behindHeader);
  const auto start = index.startAtOrBefore(address);
  auto row = start ? tryAt(*start) : std::nullopt;
  if (row && address - row->address >= row->alignedBytes) row.reset();
  return row;
}

TypeId typeOfObject(const Contents& contents, std::uint32_t object) {
  if (contents.recorded) return {contents.heap->index.recorded()->types[object]};
  std::uint64_t word = 0;
  if (!contents.memory->tryRead(contents.heap->index.addressOf({object}), word)) return {};
  const TypeIndex::Slot* slot = contents.heap->types.find(word & kMethodTableMask);
  return slot ? TypeId{slot->type} : TypeId{};
}

std::vector<ObjectRow> listObjects(const Snapshot& snapshot, const ObjectFilter& filter, std::uint64_t skip,
                                   std::size_t limit, std::stop_token stop) {
  std::vector<ObjectRow> rows;
  forEachObject(
      snapshot, filter,
      [&](const ObjectRow& row) {
        if (skip > 0) {
          --skip;
          return true;
        }
        if (rows.size() < limit) rows.push_back(row);
        return rows.size() < limit;
      },
      std::move(stop));
  return rows;
}

namespace {

constexpr std::uint64_t kPieceBytes = 2 << 20;  // small enough to share a classic segment among the cores

struct Piece {
  SegmentId segment;
  AddressRange range;
  std::vector<TypedObject> found;
};

std::vector<Piece> piecesOf(const std::vector<Segment>& segments) {
  std::vector<Piece> pieces;
  for (std::uint32_t i = 0; i < segments.size(); ++i) {
    const AddressRange objects = segments[i].objects;
    for (Address start = objects.start; start < objects.end; start += kPieceBytes)
      pieces.push_back({{i}, {start, std::min(start + kPieceBytes, objects.end)}, {}});
  }
  return pieces;
}

}  // namespace

std::optional<std::vector<TypedObject>> objectsOfTypes(const Contents& contents,
                                                       const std::vector<std::uint8_t>& isWanted,
                                                       const std::stop_token& stop) {
  const ObjectIndex& index = contents.heap->index;
  const auto objects = objectsOfAll(*contents.memory, index, contents.heap->types, *contents.segments);
  std::vector<Piece> pieces = piecesOf(*contents.segments);
  tbb::parallel_for(std::size_t{0}, pieces.size(), [&](std::size_t i) {
    if (stop.stop_requested()) return;
    Piece& piece = pieces[i];
    std::uint32_t id = index.countBefore(piece.segment, piece.range.start);
    index.forEachStart(piece.segment, piece.range, [&](Address address) {
      const ObjectId object{id++};
      ObjectFacts facts;
      if (objects[piece.segment.value].tryRead(address, facts) && facts.type.value < isWanted.size() &&
          isWanted[facts.type.value])
        piece.found.push_back({object, facts.type});
      return true;
    });
  });
  if (stop.stop_requested()) return std::nullopt;
  std::vector<TypedObject> all;
  for (const Piece& piece : pieces) all.insert(all.end(), piece.found.begin(), piece.found.end());
  return all;
}

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

std::optional<Address> methodTableOfReferred(const Snapshot& snapshot, Address object) {
  const Contents& contents = snapshot.contents();
  if (contents.heap && contents.heap->index.idOf(object).isNone()) return std::nullopt;
  if (snapshot.isRecorded()) {
    return contents.heap->types.methodTable(typeOfObject(contents, contents.heap->index.idOf(object).value));
  }
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
  if (snapshot.isRecorded()) return {true, snapshot.typeName(snapshot.typeOf(*methodTable)), *methodTable};
  return {true, snapshot.contents().readers->names.nameOf(*methodTable), *methodTable};
}

}  // namespace heapscape::engine
