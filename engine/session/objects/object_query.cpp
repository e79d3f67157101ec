// SPDX-License-Identifier: MIT
#include "session/objects/object_query.h"

#include <algorithm>

#include "base/progress.h"
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

ObjectRow makeRow(const ObjectFacts& facts, ObjectId id, SegmentId segment, Generation generation) {
  return {id, facts.address, facts.sizeBytes, facts.alignedBytes(), facts.type, segment, generation};
}

}  // namespace

bool forEachObject(const Snapshot& snapshot, const ObjectFilter& filter,
                   const std::function<bool(const ObjectRow&)>& visit, std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  if (!contents.heap) return true;
  const std::vector<bool> isWanted = typesMatching(snapshot, filter);
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
        return visit(makeRow(facts, id, {i}, part.generation));
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
    return makeRow(facts, index.idOf(start), segment, (*contents.segments)[segment.value].generationOf(start));
  };
  // The word in front of an object is its header; it lies at the end of the bytes of the object before.
  const Address behindHeader{alignUp(address.value + 1, kHeaderBytes)};
  if (address.value % kHeaderBytes >= 4 && !index.idOf(behindHeader).isNone()) return tryAt(behindHeader);
  const auto start = index.startAtOrBefore(address);
  auto row = start ? tryAt(*start) : std::nullopt;
  if (row && address - row->address >= row->alignedBytes) row.reset();
  return row;
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

}  // namespace heapscape::engine
