// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "base/address.h"
#include "base/progress.h"
#include "base/result.h"
#include "graph/edge.h"
#include "graph/paths/root_distances.h"
#include "graph/reverse_references.h"
#include "memory/address_space.h"
#include "session/snapshot/contents.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

struct Contents;

/// Steps of a path that follow each other and go through the same field of objects of the same type. Elements of
/// arrays are runs of one step.
struct EdgeRun {
  std::uint32_t first = 0;   // position in the path of the object that the run begins with
  std::uint32_t length = 1;  // steps
  Address holder;            // that object
  Address methodTable;       // of all objects that refer on
  EdgeKind kind = EdgeKind::Field;
  std::uint64_t offset = 0;  // from the holder's address
};

/// Reads objects anywhere in the heap, quickly where they lie in one segment.
class HeapReader {
 public:
  explicit HeapReader(const Contents& contents) : m_contents(contents) {}

  bool tryRead(Address address, Address& value);
  /// A type that the heap has objects of; null for anything else.
  const TypeIndex::Slot* typeAt(Address object);

 private:
  const Contents& m_contents;
  Address m_start;  // of the bytes of the segment that was read last
  Bytes m_bytes;
};

/// Finds the fields and elements that lead from object to object.
class PathEdges {
 public:
  explicit PathEdges(const Contents& contents) : m_contents(contents), m_reader(contents) {}

  /// Returns the runs of a path of objects by ObjectId, each of which refers to the next.
  std::vector<EdgeRun> read(std::span<const std::uint32_t> path);
  /// All references from one object to another one, by offset.
  std::vector<Edge> between(Address from, Address to);

 private:
  bool leadsOn(const EdgeRun& run, Address holder, ObjectId target, Address& next);

  const Contents& m_contents;
  HeapReader m_reader;
};

/// Index for GC root paths, beside the graph: of one choice of roots.
struct PathIndex {
  struct RootOfObject {
    std::uint32_t object = 0;  // ObjectId
    std::uint32_t root = 0;    // index in Retention::roots
  };

  RootDistances distances;
  std::vector<RootOfObject> roots;  // by object; of several roots of one object the one that says most comes first

  /// The root that says most of an object with distance 1: a static before a handle, a word of a stack last.
  std::uint32_t rootOf(std::uint32_t object) const;
};

/// PathIndex::roots, which need no search. From the stage Retained on.
std::vector<PathIndex::RootOfObject> rootsByObject(const Contents& contents);

/// Both are made when first asked for, and kept. They fail with BadQuery before the stage Retained.
Outcome<std::shared_ptr<const ReverseReferences>> reverseReferencesOf(const Snapshot& snapshot, ProgressSink* progress,
                                                                      std::stop_token stop);
Outcome<std::shared_ptr<const PathIndex>> pathIndexOf(const Snapshot& snapshot, ProgressSink* progress,
                                                      std::stop_token stop);

}  // namespace heapscape::engine
